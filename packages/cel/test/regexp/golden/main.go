// Asks Go's regexp about the patterns in patterns.jsonl, and writes its answers there: `go run main.go`, in this folder.
//
// The first line has the texts that each pattern is matched against. Each other line has a pattern and its result: an error, or a digit
// for each text, 1 for a match.
package main

import (
	"bytes"
	"encoding/json"
	"log"
	"os"
	"regexp"
)

const file = "patterns.jsonl"

func main() {
	content, err := os.ReadFile(file)
	check(err)
	reader := json.NewDecoder(bytes.NewReader(content))
	var written bytes.Buffer
	writer := json.NewEncoder(&written)
	writer.SetEscapeHTML(false)
	var texts []string
	check(reader.Decode(&texts))
	check(writer.Encode(texts))
	for reader.More() {
		var line [2]string
		check(reader.Decode(&line))
		line[1] = answer(line[0], texts)
		check(writer.Encode(line))
	}
	check(os.WriteFile(file, written.Bytes(), 0o644))
}

func answer(pattern string, texts []string) string {
	compiled, err := regexp.Compile(pattern)
	if err != nil {
		return err.Error()
	}
	matches := make([]byte, len(texts))
	for i, text := range texts {
		matches[i] = '0'
		if compiled.MatchString(text) {
			matches[i] = '1'
		}
	}
	return string(matches)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
