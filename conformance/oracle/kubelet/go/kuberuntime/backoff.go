package kuberuntime

import (
	"context"
	"errors"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/flowcontrol"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
	apitest "k8s.io/cri-api/pkg/apis/testing"
	"k8s.io/kubernetes/pkg/credentialprovider"
	kubecontainer "k8s.io/kubernetes/pkg/kubelet/container"
	"k8s.io/kubernetes/pkg/kubelet/images"
	imagepullmanager "k8s.io/kubernetes/pkg/kubelet/images/pullmanager"
	"k8s.io/utils/ptr"
)

// Restart answers a case of the mode "restart": attempts to start a container again, in virtual time.
func Restart(line []byte) map[string]any {
	var c struct {
		Pod *v1.Pod `json:"pod"`
		// In milliseconds.
		MaxRestartPeriod int64 `json:"maxRestartPeriod"`
		Attempts         []struct {
			At        int64        `json:"at"`
			Container v1.Container `json:"container"`
			// Milliseconds since the start when the container's last run ended; absent if it has none.
			FinishedAt *int64 `json:"finishedAt"`
			// Whether the kubelet collects garbage first.
			Collect bool `json:"collect"`
		} `json:"attempts"`
	}
	decode(line, &c)
	ctx := context.Background()
	manager := newManager(ctx, &runtimeCase{Pod: c.Pod}, nil)
	// As newCrashLoopBackOff and NewMainKubelet do.
	initial, maximum := 10*time.Second, time.Duration(c.MaxRestartPeriod)*time.Millisecond
	backOff := flowcontrol.NewBackOff(min(initial, maximum), maximum)
	backOff.HasExpiredFunc = func(eventTime time.Time, lastUpdate time.Time, _ time.Duration) bool {
		return eventTime.Sub(lastUpdate) > 600*time.Second
	}
	answers := []any{}
	for _, attempt := range c.Attempts {
		sleepUntil(attempt.At)
		if attempt.Collect {
			backOff.GC()
		}
		status := &kubecontainer.PodStatus{}
		if attempt.FinishedAt != nil {
			status.ContainerStatuses = []*kubecontainer.Status{{
				Name:       attempt.Container.Name,
				State:      kubecontainer.ContainerStateExited,
				FinishedAt: at(*attempt.FinishedAt),
			}}
		}
		backingOff, message, err := manager.doBackOff(ctx, c.Pod, &attempt.Container, status, backOff)
		answer := map[string]any{"backingOff": backingOff, "message": message}
		if until, has := kubecontainer.MinBackoffExpiration(err); has {
			answer["until"] = until.Sub(start).Milliseconds()
		}
		answers = append(answers, answer)
	}
	return map[string]any{"attempts": answers}
}

// imageService is one whose pulls take a second, and fail as the case says.
type imageService struct {
	*apitest.FakeImageService
	fail string
}

func (s *imageService) PullImage(
	ctx context.Context, image *runtimeapi.ImageSpec, auth *runtimeapi.AuthConfig, config *runtimeapi.PodSandboxConfig,
) (string, error) {
	time.Sleep(time.Second)
	if s.fail != "" {
		return "", errors.New(s.fail)
	}
	return s.FakeImageService.PullImage(ctx, image, auth, config)
}

// Pull answers a case of the mode "pull": attempts to pull images, in virtual time.
func Pull(line []byte) map[string]any {
	var c struct {
		Attempts []struct {
			At     int64         `json:"at"`
			UID    string        `json:"uid"`
			Image  string        `json:"image"`
			Policy v1.PullPolicy `json:"policy"`
			// The error of the container runtime, or empty.
			Fail string `json:"fail"`
			// Whether the image is removed from the node first.
			Remove bool `json:"remove"`
		} `json:"attempts"`
	}
	decode(line, &c)
	ctx := context.Background()
	service := &imageService{FakeImageService: apitest.NewFakeImageService()}
	runtime := newManager(ctx, &runtimeCase{Pod: &v1.Pod{}}, nil)
	runtime.imageService = service
	recorder := record.NewFakeRecorder(10)
	// As NewMainKubelet does.
	manager := images.NewImageManager(
		recorder, &credentialprovider.BasicDockerKeyring{}, runtime, &imagepullmanager.NoopImagePullManager{},
		flowcontrol.NewBackOff(10*time.Second, 300*time.Second), false, ptr.To[int32](0), 0, 0, &fakePodPullingTimeRecorder{})
	answers := []any{}
	for _, attempt := range c.Attempts {
		sleepUntil(attempt.At)
		service.fail = attempt.Fail
		if attempt.Remove {
			service.SetFakeImages(nil)
		}
		pod := &v1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p", Namespace: "shop", UID: types.UID(attempt.UID)}}
		_, message, err := manager.EnsureImageExists(
			ctx, &v1.ObjectReference{}, pod, attempt.Image, nil, &runtimeapi.PodSandboxConfig{Metadata: &runtimeapi.PodSandboxMetadata{}}, "", attempt.Policy)
		answer := map[string]any{"message": message, "error": "", "events": drain(recorder)}
		if err != nil {
			answer["error"] = err.Error()
		}
		answers = append(answers, answer)
	}
	return map[string]any{"attempts": answers}
}

// drain returns the events so far, as "type reason message".
func drain(recorder *record.FakeRecorder) []string {
	events := []string{}
	for len(recorder.Events) > 0 {
		events = append(events, <-recorder.Events)
	}
	return events
}
