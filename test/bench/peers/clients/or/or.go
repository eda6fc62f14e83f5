// Package or ends the program with the error that there is: these programs can do nothing without what they asked for.
package or

import "log"

// Fail ends the program if there is an error.
func Fail(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// Must is the value, or the end of the program.
func Must[T any](value T, err error) T {
	Fail(err)
	return value
}
