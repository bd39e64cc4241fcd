// Observes an API server through the HTTP/2 client of net/http, which client-go and kubectl use, and prints one line for each observation.
// Usage: go run main.go URL CA-FILE TOKEN
package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"
)

const namespace = "go-client"
const configMaps = "/api/v1/namespaces/" + namespace + "/configmaps"

type server struct {
	url    string
	token  string
	tls    *tls.Config
	client *http.Client
}

func main() {
	newServer := func() *server { return connect(os.Args[1], os.Args[2], os.Args[3]) }
	s := newServer()
	s.post("/api/v1/namespaces", fmt.Sprintf(`{"metadata":{"name":%q}}`, namespace))
	observations := []struct {
		name    string
		observe func() string
	}{
		{"protocol", s.protocol},
		{"300 parallel requests", s.parallel},
		{"a watch that is canceled", s.watch},
		{"a body of 2 MB", func() string { return s.large(2 << 20) }},
		{"a body of 4 MB", func() string { return s.large(4 << 20) }},
		{"a list of 40 MB", s.largeList},
		{"a request after a refused one", newServer().unauthorized},
		{"two Host headers over HTTP/1.1", s.twoHosts},
	}
	for _, each := range observations {
		fmt.Printf("%s: %s\n", each.name, each.observe())
	}
}

func connect(address, caFile, token string) *server {
	ca, err := os.ReadFile(caFile)
	check(err)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(ca)
	config := &tls.Config{RootCAs: roots}
	transport := &http.Transport{TLSClientConfig: config, ForceAttemptHTTP2: true}
	return &server{url: address, token: token, tls: config, client: &http.Client{Transport: transport, Timeout: 2 * time.Minute}}
}

func (s *server) request(ctx context.Context, method, path, body, token string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, s.url+path, strings.NewReader(body))
	check(err)
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	return s.client.Do(request)
}

func (s *server) get(path string) *http.Response {
	response, err := s.request(context.Background(), "GET", path, "", s.token)
	check(err)
	return response
}

func (s *server) post(path, body string) string {
	response, err := s.request(context.Background(), "POST", path, body, s.token)
	check(err)
	defer response.Body.Close()
	io.Copy(io.Discard, response.Body)
	return response.Status
}

func (s *server) protocol() string {
	response := s.get("/version")
	defer response.Body.Close()
	return response.Proto
}

func (s *server) parallel() string {
	var wait sync.WaitGroup
	codes := make(chan int, 300)
	for i := 0; i < cap(codes); i++ {
		wait.Add(1)
		go func() {
			defer wait.Done()
			response := s.get("/api/v1/namespaces")
			defer response.Body.Close()
			io.Copy(io.Discard, response.Body)
			codes <- response.StatusCode
		}()
	}
	wait.Wait()
	close(codes)
	counts := map[int]int{}
	for code := range codes {
		counts[code]++
	}
	return fmt.Sprint(counts)
}

func (s *server) watch() string {
	ctx, cancel := context.WithCancel(context.Background())
	response, err := s.request(ctx, "GET", configMaps+"?watch=1&fieldSelector=metadata.name%3Dseen", "", s.token)
	check(err)
	defer response.Body.Close()
	s.post(configMaps, `{"metadata":{"name":"seen"}}`)
	var event struct {
		Type   string
		Object struct{ Metadata struct{ Name string } }
	}
	decoder := json.NewDecoder(response.Body)
	check(decoder.Decode(&event))
	cancel()
	return fmt.Sprintf("%s %s, then %v, next request %d", event.Type, event.Object.Metadata.Name, decoder.Decode(&event), s.get("/version").StatusCode)
}

func (s *server) large(size int) string {
	return s.post(configMaps, fmt.Sprintf(`{"metadata":{"generateName":"large-"},"binaryData":{"a":%q}}`, strings.Repeat("AAAA", size/4)))
}

func (s *server) largeList() string {
	for i := 0; i < 40; i++ {
		body := fmt.Sprintf(`{"metadata":{"name":"list-%d","labels":{"in":"list"}},"data":{"a":%q}}`, i, strings.Repeat("x", 1_000_000))
		s.post(configMaps, body)
	}
	response := s.get(configMaps + "?labelSelector=in%3Dlist")
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	check(err)
	return fmt.Sprintf("%d objects, complete: %v", bytes.Count(body, []byte(`"name":"list-`)), json.Valid(body))
}

// The server closes an HTTP/2 connection after an unauthorized request, so the next one uses another connection.
func (s *server) unauthorized() string {
	response, err := s.request(context.Background(), "GET", "/version", "", "wrong")
	check(err)
	io.Copy(io.Discard, response.Body)
	response.Body.Close()
	time.Sleep(2 * time.Second)
	var reused bool
	trace := &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) { reused = info.Reused }}
	next, err := s.request(httptrace.WithClientTrace(context.Background(), trace), "GET", "/version", "", s.token)
	check(err)
	next.Body.Close()
	return fmt.Sprintf("%d, then %d on the same connection: %v", response.StatusCode, next.StatusCode, reused)
}

func (s *server) twoHosts() string {
	address, err := url.Parse(s.url)
	check(err)
	config := s.tls.Clone()
	config.NextProtos = []string{"http/1.1"}
	connection, err := tls.Dial("tcp", address.Host, config)
	check(err)
	defer connection.Close()
	fmt.Fprintf(connection, "GET /version HTTP/1.1\r\nHost: a\r\nHost: b\r\nAuthorization: Bearer %s\r\n\r\n", s.token)
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	check(err)
	body, err := io.ReadAll(response.Body)
	check(err)
	return fmt.Sprintf("%s, %s, close: %v, %s", response.Status, response.Header.Get("Content-Type"), response.Close, body)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
