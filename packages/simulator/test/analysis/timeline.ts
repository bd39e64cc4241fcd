import type { ApiObject } from 'kube-endpoints/port';
import type { ListenerState, TargetState, TimelineEntry, TimelineFact } from '../../src/engine/timeline.ts';

/** A timeline that is written by hand. Each method returns the id of its entry. */
export interface Draft {
  readonly entries: TimelineEntry[];
  pod(at: number, name: string, ip: string, cause?: number, hasProbe?: boolean): number;
  slice(at: number, cause?: number): number;
  route(at: number, actor: string, addresses: readonly string[], cause?: number): number;
  listener(at: number, pod: string, state: ListenerState, cause?: number): number;
  signal(at: number, pod: string, what: 'SIGTERM' | 'SIGKILL' | 'started', cause?: number): number;
  target(at: number, address: string, state: TargetState): number;
  node(at: number, what: 'lost' | 'restored', node: string): number;
  change(at: number): number;
}

export function createDraft(): Draft {
  const entries: TimelineEntry[] = [];
  const add = (at: number, fact: TimelineFact, cause?: number): number => {
    entries.push({ ...fact, id: entries.length, at, ...(cause !== undefined && { cause }) });
    return entries.length - 1;
  };
  const object = (kind: string, name: string, rest: Readonly<Record<string, unknown>> = {}): ApiObject => ({
    kind,
    metadata: { namespace: 'shop', name, uid: `uid-${name}` },
    ...rest,
  });
  const write = (kind: string, name: string, rest?: Readonly<Record<string, unknown>>): TimelineFact => ({
    type: 'update',
    actor: 'test',
    object: object(kind, name, rest),
  });
  const ref = (pod: string) => ({ pod: `shop/${pod}`, podUid: `uid-${pod}`, node: 'n1', container: 'web' });
  add(0, write('Service', 'web', { spec: { ports: [{ port: 80, targetPort: 8080 }] } }));
  return {
    entries,
    pod: (at, name, ip, cause, hasProbe = true) => {
      const containers = [{ name: 'agent' }, { name: 'web', ports: [{ containerPort: 8080 }], ...(hasProbe && { readinessProbe: {} }) }];
      return add(at, write('Pod', name, { spec: { nodeName: 'n1', containers }, status: { podIP: ip } }), cause);
    },
    slice: (at, cause) => add(at, write('EndpointSlice', 'web-1'), cause),
    route: (at, actor, addresses, cause) => add(at, { type: 'route', actor, service: 'shop/web', port: '', addresses }, cause),
    listener: (at, pod, state, cause) => add(at, { type: 'listener', state, ...ref(pod) }, cause),
    signal: (at, pod, what, cause) => add(at, { type: 'container', what, ...ref(pod) }, cause),
    target: (at, address, state) => add(at, { type: 'target', actor: 'load-balancer/web', service: 'shop/web', port: '', address, state }),
    node: (at, what, node) => add(at, { type: 'node', what, node }),
    change: (at) => add(at, write('Deployment', 'web')),
  };
}

/** A timeline with pods that serve from the start, and the routes of the actors to all of them. The pods' addresses are 10.0.0.1, ... */
export function createServingDraft(pods: readonly string[], actors: readonly string[]): Draft {
  const draft = createDraft();
  pods.forEach((pod, i) => {
    draft.pod(0, pod, `10.0.0.${i + 1}`);
    draft.listener(0, pod, 'open');
  });
  for (const actor of actors)
    draft.route(
      0,
      actor,
      pods.map((_, i) => `10.0.0.${i + 1}`),
    );
  return draft;
}
