import { createReconcilerFor, type Plan } from '../../core/index.ts';
import { type ApiObject, type ClientPort, hasReason, resources } from '../../port/index.ts';
import type { Endpoints, EndpointsInput, Service } from '../../types/index.ts';
import type { Cache } from '../cache/cache.ts';
import { defaultLimiter } from '../queue/index.ts';
import type { Job, Part } from './controller.ts';
import { kindOf, messageOf, StaleCache, Unplannable } from './failures.ts';
import type { Tools } from './tools.ts';

export interface EndpointsTools extends Tools {
  readonly endpoints: Cache<EndpointsInput>;
}

/**
 * The endpoints controller: what is to be done for one Service.
 *
 * Mirrors syncService (1.36, pkg/controller/endpoint/endpoints_controller.go), except that it deletes only what it has read, and only
 * where the API server, too, says that there is no Service.
 */
export function createEndpointsPart(tools: EndpointsTools): Part {
  const { setup, services, endpoints, membership, echoes } = tools;
  const reconciler = createReconcilerFor(setup.settings, setup.maxEndpointsPerSlice);
  const forget = (key: string): void => {
    reconciler.forget(key);
    membership.forget('endpoints', key);
  };
  const planFor = (key: string, service: Service | undefined, current: EndpointsInput | undefined): Plan => {
    try {
      return reconciler.reconcile({ key, service, pods: membership.feed('endpoints', key), current });
    } catch (error) {
      forget(key);
      throw new Unplannable(messageOf(error), { cause: error });
    }
  };
  return {
    name: 'endpoints',
    limiter: defaultLimiter(setup.clock),
    forget,
    async sync(job) {
      const { key } = job;
      const service = services.get(key);
      const current = endpoints.get(key);
      job.gone = !service;
      const plan = planFor(key, service, current);
      const { action } = plan;
      setup.tell?.({ kind: 'planned', controller: 'endpoints', key, ...plan });
      if (action === 'none') echoes.overtake(key);
      if (setup.dryRun || action === 'none') return;
      if (action === 'retry') throw new StaleCache(plan.reasons.map(({ message }) => message).join(' '));
      if (action === 'delete') await confirmGone(setup.port, key);
      echoes.begin(key);
      try {
        const answer = action === 'delete' ? await remove(job, current, tools) : await write(job, plan, tools);
        if (answer && action !== 'delete') reconciler.observe(answer as EndpointsInput);
      } finally {
        if (echoes.end(key)) tools.later(key);
      }
    },
  };
}

/** Caches of several resources are not of one moment: a Service that is missing may be yet to come. */
async function confirmGone(port: ClientPort, key: string): Promise<void> {
  const [namespace = '', name = ''] = key.split('/');
  try {
    await port.get(resources.services, { namespace, name });
  } catch (error) {
    if (hasReason(error, 'NotFound')) return;
    throw error;
  }
  throw new StaleCache(`The cache does not show the Service ${key} yet.`);
}

async function write(job: Job, { action, object }: Plan, tools: EndpointsTools): Promise<ApiObject | undefined> {
  const { executor, echoes, endpoints } = tools;
  const { key } = job;
  const wanted = tools.setup.disguise?.outward(object as Endpoints) ?? (object as Endpoints);
  try {
    const answer = await executor[action === 'create' ? 'create' : 'update'](key, resources.endpoints, wanted);
    job.writes++;
    const version = answer.metadata.resourceVersion ?? '';
    echoes.wrote(key, answer.metadata.name ?? '', version, endpoints.get(key)?.metadata?.resourceVersion === version);
    return answer;
  } catch (error) {
    report(error, action === 'create', wanted, tools);
    throw error;
  }
}

/** Endpoints that are gone are what was wanted. */
async function remove(job: Job, current: EndpointsInput | undefined, { executor }: EndpointsTools): Promise<undefined> {
  try {
    await executor.delete(job.key, resources.endpoints, current ?? {});
    job.writes++;
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error;
  }
}

/** Tells the user, unless the next try will do. */
function report(error: unknown, creating: boolean, { metadata }: Endpoints, { recorder }: EndpointsTools): void {
  const kind = kindOf(error);
  if (kind !== 'refused' && kind !== 'outage') return;
  const { namespace, name, uid, resourceVersion } = metadata;
  const about = { kind: 'Endpoints', apiVersion: 'v1', namespace, name, ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) };
  const of = creating ? `create endpoint for service ${namespace}/${name}` : `update endpoint ${namespace}/${name}`;
  recorder?.record(
    about,
    'Warning',
    creating ? 'FailedToCreateEndpoint' : 'FailedToUpdateEndpoint',
    `Failed to ${of}: ${messageOf(error)}`,
  );
}
