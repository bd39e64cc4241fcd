package main

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// No result depends on this: a probe without any event within it is an error of the test.
const deadline = 30 * time.Second

// The errors of a socket whose packet has been rejected: icmp-proto-unreachable, which nothing else sends here, and icmp6-adm-prohibited.
var rejections = []error{syscall.ENOPROTOOPT, syscall.EACCES}

const rejected = "rejected"

// send connects, and returns the name of the namespace that replied, "rejected", or an error. Runs in the namespace of the source.
func (p packetProbe) send() string {
	protocols := map[string]func(packetProbe) (string, error){"TCP": sendTCP, "UDP": sendUDP, "SCTP": sendSCTP}
	reply, err := protocols[p.Protocol](p)
	for _, each := range rejections {
		if errors.Is(err, each) {
			return rejected
		}
	}
	if err != nil {
		return fmt.Sprintf("error: %v", err)
	}
	return reply
}

func sendTCP(p packetProbe) (string, error) {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(p.From)}, Timeout: deadline}
	connection, err := dialer.Dial("tcp", p.target())
	if err != nil {
		return "", err
	}
	defer connection.Close()
	// Closes with RST, so that no connection lasts into the next scene.
	check(connection.(*net.TCPConn).SetLinger(0))
	check(connection.SetDeadline(time.Now().Add(deadline)))
	line, err := bufio.NewReader(connection).ReadString('\n')
	return strings.TrimSpace(line), err
}

func sendUDP(p packetProbe) (string, error) {
	dialer := net.Dialer{LocalAddr: &net.UDPAddr{IP: net.ParseIP(p.From)}}
	connection, err := dialer.Dial("udp", p.target())
	if err != nil {
		return "", err
	}
	defer connection.Close()
	check(connection.SetDeadline(time.Now().Add(deadline)))
	if _, err := connection.Write([]byte("who?")); err != nil {
		return "", err
	}
	reply := make([]byte, 64)
	n, err := connection.Read(reply)
	return string(reply[:n]), err
}

func (p packetProbe) target() string {
	return net.JoinHostPort(p.To, strconv.Itoa(p.Port))
}

// listen replies with "NAMESPACE PORT" on every address and port, until the program ends. Runs in the namespace of the host.
func listen(h host, ports []int) {
	for _, address := range h.Addresses {
		for _, port := range ports {
			name := fmt.Sprintf("%s %d", h.Namespace, port)
			target := net.JoinHostPort(address, strconv.Itoa(port))
			listener, err := net.Listen("tcp", target)
			check(err)
			go serveTCP(listener, name)
			datagrams, err := net.ListenPacket("udp", target)
			check(err)
			go serveUDP(datagrams, name)
		}
		listenSCTP(address, h.Namespace)
	}
}

func serveTCP(listener net.Listener, name string) {
	for {
		connection, err := listener.Accept()
		check(err)
		go func() {
			defer connection.Close()
			fmt.Fprintln(connection, name)
			// Returns when the client closes.
			_, _ = connection.Read(make([]byte, 1))
		}()
	}
}

func serveUDP(datagrams net.PacketConn, name string) {
	request := make([]byte, 64)
	for {
		_, client, err := datagrams.ReadFrom(request)
		check(err)
		_, err = datagrams.WriteTo([]byte(name), client)
		check(err)
	}
}
