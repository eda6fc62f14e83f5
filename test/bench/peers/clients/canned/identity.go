package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"time"

	"kftrain/peers/clients/or"
)

const lifetime = 24 * time.Hour

// newIdentity makes an authority and a certificate for 127.0.0.1, and writes the authority's certificate to a file.
func newIdentity(authorityFile string) tls.Certificate {
	authorityKey := or.Must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	key := or.Must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	from := time.Now().Add(-time.Hour)
	authority := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority of the canned server"},
		NotBefore: from, NotAfter: from.Add(lifetime),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	authorityText := or.Must(x509.CreateCertificate(rand.Reader, authority, authority, &authorityKey.PublicKey, authorityKey))
	server := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "canned server"},
		NotBefore: from, NotAfter: from.Add(lifetime),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	signer := or.Must(x509.ParseCertificate(authorityText))
	text := or.Must(x509.CreateCertificate(rand.Reader, server, signer, &key.PublicKey, authorityKey))
	or.Fail(os.WriteFile(authorityFile, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: authorityText}), 0o644))
	return tls.Certificate{Certificate: [][]byte{text}, PrivateKey: key}
}
