package main

import "k8s.io/client-go/rest"

// unlimited lifts the limits of the clients: controller-runtime's configuration allows 20 requests a second.
func unlimited(c *rest.Config) *rest.Config {
	c.QPS = -1
	return c
}
