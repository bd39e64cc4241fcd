package main

import v1 "k8s.io/api/core/v1"

// runShould returns whether the release's shouldPodBeInEndpoints includes a pod.
func runShould([]string) (answerFunc, error) {
	return func(decode decodeFunc) (interface{}, error) {
		t := struct {
			ID                 string `json:"id"`
			Pod                v1.Pod `json:"pod"`
			IncludeTerminating bool   `json:"includeTerminating"`
		}{}
		if err := decode(&t); err != nil {
			return nil, err
		}
		return map[string]interface{}{"id": t.ID, "included": shouldPodBeInEndpoints(&t.Pod, t.IncludeTerminating)}, nil
	}, nil
}
