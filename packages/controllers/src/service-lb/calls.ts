import type { BalancedNode, BalancedService, BalancerReference } from 'kube-endpoints/load-balancer';
import { type ApiObject, hasReason, resources } from 'kube-endpoints/port';
import { createMaker, type Maker, NoAnswer, type OnDoubt } from './call.ts';
import { isEnd } from './ends.ts';
import type { CloudCall, CloudOutcome } from './happening.ts';
import type { Setup } from './options.ts';

/** The only place from which the cloud is called and Services are written: each time only as long as the Service is this replica's. */
export interface Calls extends Pick<Maker, 'release' | 'end'> {
  /** What the cloud says, unchecked. @throws OwnershipLost, Ending, that there was no answer, or what the cloud does */
  get(key: string, service: BalancedService): Promise<unknown>;
  ensure(key: string, service: BalancedService, nodes: readonly BalancedNode[]): Promise<unknown>;
  update(key: string, service: BalancedService, nodes: readonly BalancedNode[]): Promise<unknown>;
  delete(key: string, service: BalancedService): Promise<unknown>;
  /** Undefined where the cloud cannot tell. */
  readonly list: (() => Promise<readonly BalancerReference[]>) | undefined;
  /** Writes the status of this very Service, and not of another one that has its name by now. */
  patch(key: string, service: BalancedService, patch: object): Promise<ApiObject>;
  /** The Service of this name as the API server has it, and not a cache. */
  ask(key: string): Promise<ApiObject | undefined>;
}

/** Milliseconds that the API server is waited for. */
const patience = 60_000;

export function createCalls(setup: Setup, onDoubt: OnDoubt): Calls {
  const { port, balancers, clusterName } = setup;
  const { make, release, end } = createMaker(setup, onDoubt);
  const ask: Asker = async (call, key, act, about = {}) => {
    const started = setup.clock.elapsed();
    let made = false;
    const tell = (outcome: CloudOutcome, more: { readonly error?: unknown } = {}): void => {
      if (made) setup.tell({ kind: 'cloud', call, key, outcome, milliseconds: setup.clock.elapsed() - started, ...more });
    };
    const noting = (signal: AbortSignal): ReturnType<typeof act> => {
      made = true;
      return act(signal);
    };
    try {
      const answer = await make({ key, milliseconds: setup.cloudTimeout, act: noting, ...about });
      tell('answered');
      return answer;
    } catch (error) {
      tell(isEnd(error) ? 'released' : error instanceof NoAnswer ? 'late' : 'failed', { error });
      throw error;
    }
  };
  const list = async (signal: AbortSignal): Promise<readonly BalancerReference[]> =>
    readList(await balancers.list?.({ clusterName, signal }));
  return {
    get: (key, service) => ask('get', key, async (signal) => balancers.get({ clusterName, service, signal })),
    ensure: (key, service, nodes) =>
      ask('ensure', key, async (signal) => balancers.ensure({ clusterName, service, nodes, signal }), { changes: service }),
    update: (key, service, nodes) =>
      ask('update', key, async (signal) => balancers.update({ clusterName, service, nodes, signal }), { changes: service }),
    delete: (key, service) =>
      ask('delete', key, async (signal) => balancers.delete({ clusterName, service, signal }), { changes: service }),
    list: balancers.list && (() => ask('list', '', list, { shared: true })),
    patch(key, service, patch) {
      const act = (signal: AbortSignal): Promise<ApiObject> =>
        port.patch(resources.services, nameOf(key), boundTo(service, patch), { type: 'strategic', subresource: 'status', signal });
      return make({ key, milliseconds: patience, act, changes: service });
    },
    async ask(key) {
      const act = (signal: AbortSignal): Promise<ApiObject> => port.get(resources.services, nameOf(key), { signal });
      return make({ key, milliseconds: patience, act }).catch(unlessGone);
    },
    release,
    end,
  };
}

type Asker = <T>(
  call: CloudCall,
  key: string,
  act: (signal: AbortSignal) => Promise<T>,
  about?: { readonly changes?: BalancedService; readonly shared?: boolean },
) => Promise<T>;

function unlessGone(error: unknown): undefined {
  if (!hasReason(error, 'NotFound')) throw error;
}

function nameOf(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf('/');
  return { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/**
 * The API server refuses to change a uid, and so a patch of another Service than this one. A patch that takes all finalizers away would
 * take away those that others have added meanwhile: it is for the version that was read.
 */
function boundTo({ metadata }: BalancedService, patch: object): object {
  const { metadata: changed } = patch as { readonly metadata?: { readonly finalizers?: unknown } };
  const { uid, resourceVersion } = metadata ?? {};
  const bound = { ...(uid && { uid }), ...(changed?.finalizers === null && resourceVersion && { resourceVersion }) };
  return { ...patch, metadata: { ...changed, ...bound } };
}

function readList(answer: unknown): readonly BalancerReference[] {
  const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
  const isReference = (each: Partial<BalancerReference> | null | undefined): boolean =>
    isText(each?.namespace) && isText(each?.name) && isText(each?.uid);
  if (Array.isArray(answer) && answer.every(isReference)) return answer as BalancerReference[];
  throw new TypeError('list: the cloud answered with something else than references, each with namespace, name and uid');
}
