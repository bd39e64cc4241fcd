import { type KilledContainer, type KubeletPod, killContainer, killPod, type StopBehaviour } from '@kube-endpoints/simulator/internal';
import type { KillCase } from './case.ts';
import { type Call, sortCalls, start } from './virtual-time.ts';

export function replayKill({ pod, runtime, override, container, behaviours }: KillCase): unknown {
  const options = { pod, at: start, ...(override !== undefined && { gracePeriodOverride: override }) };
  const behaviourOf = ({ id }: { readonly id: string }): StopBehaviour => behaviours[rawID(id)] ?? {};
  if (container) {
    const killed = killContainer({ ...options, ...container, behaviour: behaviourOf(container) });
    return { calls: sortCalls(killed ? callsOf(killed, pod) : []), failed: killed?.endedAt === undefined };
  }
  const { containers, sandboxesAt, failed } = killPod(runtime, { ...options, behaviourOf });
  const sandboxStops = runtime.sandboxes.map(({ id }) => ({ at: sandboxesAt, do: 'stopSandbox', id }));
  return { calls: sortCalls([...containers.flatMap((killed) => callsOf(killed, pod)), ...sandboxStops]), failed };
}

/** The ID of a container without the name of the runtime. */
const rawID = (id: string): string => id.replace(/^.*:\/\//, '');

/** Returns the calls and Events of a kill. The program does not record hooks that sleep. */
function callsOf({ id, name, message, hook, stop, endedAt }: KilledContainer, { spec }: KubeletPod): Call[] {
  const raw = rawID(id);
  const { exec, httpGet } =
    [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].find((each) => each.name === name)?.lifecycle?.preStop ?? {};
  return [
    { at: start, do: 'event', id: name, type: 'Normal', reason: 'Killing', message: message.replaceAll(raw, name) },
    ...(hook && (exec || httpGet) ? [{ at: hook.from, do: 'hook', id: raw }] : []),
    ...(hook?.fails
      ? [{ at: hook.until, do: 'event', id: name, type: 'Warning', reason: 'FailedPreStopHook', message: 'PreStopHook failed' }]
      : []),
    { ...stop, do: 'stop', id: raw },
    ...(endedAt === undefined ? [] : [{ at: endedAt, do: 'exit', id: raw }]),
  ];
}
