import {
  checkRestartBackOff,
  computePodActions,
  createImagePuller,
  createRestartBackOff,
  hashContainer,
  type ImageEvent,
  isRestartCleanedUp,
  type PodActions,
  shouldAllContainersRestart,
} from '@kube-endpoints/simulator/internal';
import type { ActionsCase, KubeletCase, KubeletCases, KubeletMode, PullCase, RestartCase } from './case.ts';
import { replayKill } from './replay-kill.ts';
import { replayShutdown } from './replay-shutdown.ts';
import { replayStatus } from './replay-status.ts';
import { replaySync } from './replay-sync.ts';
import { replayTermination } from './replay-termination.ts';
import { replayWorker } from './replay-worker.ts';
import { start } from './virtual-time.ts';

/** Returns the simulator's answer to a case. */
export const replayKubelet = (mode: KubeletMode, testCase: KubeletCase): unknown =>
  (replays[mode] as (testCase: KubeletCase) => unknown)(testCase);

const replays: { readonly [Mode in KubeletMode]: (testCase: KubeletCases[Mode]) => unknown } = {
  actions: replayActions,
  sync: replaySync,
  restart: replayRestart,
  pull: replayPull,
  kill: replayKill,
  worker: replayWorker,
  status: replayStatus,
  shutdown: replayShutdown,
  termination: replayTermination,
};

function replayActions({ runtime, ...input }: ActionsCase): unknown {
  const { pod } = input;
  return {
    actions: describeActions(computePodActions({ ...input, status: runtime })),
    hashes: Object.fromEntries((pod.spec?.containers ?? []).map((container) => [container.name, hashContainer(container)])),
    shouldAllContainersRestart: shouldAllContainersRestart(pod, runtime),
    cleanedUp: isRestartCleanedUp(pod, runtime),
  };
}

/** Converts containers to kill, whose order the kubelet does not define, to a record by ID, and resources to text. */
const describeActions = ({ containersToKill, containersToUpdate, ...actions }: PodActions): unknown => ({
  ...actions,
  containersToKill: Object.fromEntries(containersToKill.map(({ id, reason = '', ...info }) => [id, { ...info, reason }])),
  containersToUpdate: Object.fromEntries(
    Object.entries(containersToUpdate).map(([resource, updates]) => [
      resource,
      updates.map(({ desired, current, ...info }) => ({ ...info, desired: toText(desired), current: toText(current) })),
    ]),
  ),
});

const toText = (resources: object): unknown => Object.fromEntries(Object.entries(resources).map(([name, value]) => [name, String(value)]));

const toTime = (milliseconds: number): string => new Date(start + milliseconds).toISOString();

function replayRestart({ pod, maxRestartPeriod, attempts }: RestartCase): unknown {
  let now = start;
  const backOff = createRestartBackOff({ maxRestartPeriod, now: () => now });
  const answers = attempts.map(({ at, container, finishedAt, collect }) => {
    now = start + at;
    if (collect) backOff.collect();
    const ended = { id: 'containerd://c', name: container.name ?? '', state: 'exited', hash: 0 } as const;
    const containers = finishedAt === undefined ? [] : [{ ...ended, finishedAt: toTime(finishedAt) }];
    const delay = checkRestartBackOff(pod, container, { sandboxes: [], containers }, backOff);
    return delay ? { backingOff: true, message: delay.message, until: delay.until - start } : { backingOff: false, message: '' };
  });
  return { attempts: answers };
}

function replayPull({ attempts }: PullCase): unknown {
  let now = start;
  const puller = createImagePuller({ now: () => now });
  let present = new Set<string>();
  const answers = attempts.map(({ at, uid, image, policy, fail, remove }) => {
    now = Math.max(now, start + at);
    if (remove) present = new Set();
    const request = { podUID: uid, image, policy, isPresent: present.has(image) };
    const decision = puller.decide(request);
    const events = [formatEvent(decision.event)];
    if (decision.do !== 'pull') return { message: decision.message, error: decision.do === 'fail' ? decision.error : '', events };
    now += pullDuration;
    if (fail) {
      const { message, error, event } = puller.handleFailure(request, fail);
      return { message, error, events: [...events, formatEvent(event)] };
    }
    puller.handleSuccess();
    present.add(image);
    const pulled = `Normal Pulled Successfully pulled image "${image}" in 1s (1s including waiting). Image size: 0 bytes.`;
    return { message: '', error: '', events: [...events, pulled] };
  });
  return { attempts: answers };
}

/** The program's container runtime pulls an image in a second. */
const pullDuration = 1000;

const formatEvent = ({ type, reason, message }: ImageEvent): string => `${type} ${reason} ${message}`;
