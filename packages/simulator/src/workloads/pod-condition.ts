import { formatTime } from './time.ts';
import type { Pod } from './types.ts';

/** A condition of a pod, as far as a controller sets it. */
export interface PodConditionValue {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

/**
 * The strategic merge patch that sets a condition of a pod's status; undefined if the pod has it: UpdatePodCondition (1.36,
 * pkg/api/v1/pod/util.go) and PatchPodStatus (pkg/util/pod/pod.go).
 */
export function patchPodCondition({ metadata, status }: Pod, wanted: PodConditionValue, now: number): object | undefined {
  const conditions = status?.conditions ?? [];
  const current = conditions.find(({ type }) => type === wanted.type);
  const isSameStatus = current?.status === wanted.status;
  if (isSameStatus && (current.reason ?? '') === (wanted.reason ?? '') && (current.message ?? '') === (wanted.message ?? ''))
    return undefined;
  const next = encode({
    ...wanted,
    observedGeneration: metadata.generation ?? 0,
    lastTransitionTime: isSameStatus ? current.lastTransitionTime : formatTime(now),
  });
  const order = [...conditions.map(({ type }) => type), ...(current ? [] : [wanted.type])].map((type) => ({ type }));
  return {
    metadata: { uid: metadata.uid },
    status: {
      ...(conditions.length > 0 && { '$setElementOrder/conditions': order }),
      conditions: [current ? diffFields(encode(current), next) : next],
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** The fields that Go encodes: times even if they are absent, others unless they are empty. */
function encode(condition: object): Fields {
  const { lastProbeTime = null, lastTransitionTime = null, ...rest } = condition as Fields;
  return {
    lastProbeTime,
    lastTransitionTime,
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== '' && value !== 0)),
  };
}

/** The changed fields and the key of the list. */
function diffFields(current: Fields, next: Fields): Fields {
  const names = Object.keys({ ...current, ...next }).filter((name) => current[name] !== next[name]);
  return { ...Object.fromEntries(names.map((name) => [name, next[name] ?? null])), type: next['type'] };
}
