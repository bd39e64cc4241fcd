import { explainService, type ServiceExplanation } from '../explain/index.ts';
import { type BalancedNode, type BalancedService, explainLoadBalancer } from '../load-balancer/index.ts';
import { explainReadiness } from '../readiness/index.ts';
import { checkObjects } from './check.ts';
import { type Cluster, createCluster } from './cluster.ts';
import { resolve } from './name/resolve.ts';
import type { TraceObjects, TraceOptions, TraceQuestion, TraceService } from './objects.ts';
import { originOf } from './origin.ts';
import { parseTarget, shownTarget } from './target.ts';
import type { Trace } from './trace.ts';
import { verdictOf } from './verdict.ts';
import { follow } from './way/follow.ts';

/**
 * The way of a request from a name to the pods that answer it: the search path of who asks, the records, the Service and its port,
 * the rules of the node, the endpoints, their pods, and what keeps pods from being ready.
 * @throws TraceError for a question that cannot be answered: a target that is none, a pod or a node that is not there, a list that is none
 * @throws RangeError for an unknown version of Kubernetes or release of CoreDNS
 */
export function traceTarget(question: TraceQuestion, objects: TraceObjects, options: TraceOptions = {}): Trace {
  const target = parseTarget(question.target);
  checkObjects(objects);
  const cluster = createCluster(objects, options);
  const origin = originOf(question, objects);
  const { name, record, destination, port } = resolve(target, origin, cluster, options.dns ?? {});
  const followed = port === undefined || target.port !== undefined ? target : { ...target, port };
  const drafts = [name, record, ...follow(destination, followed, origin, cluster, (service) => explained(service, cluster))];
  const asked = {
    target: shownTarget(question.target),
    ...(question.from !== undefined && { from: question.from }),
    ...(question.node !== undefined && { node: question.node }),
  };
  return { ...asked, ...verdictOf(asked, destination, drafts), steps: drafts.map(({ step }) => step) };
}

function explained(service: TraceService, cluster: Cluster): ServiceExplanation {
  const { version, objects } = cluster;
  const { nodes, events } = objects;
  const selected = cluster.podsOf(service);
  // the others matter only where none is selected: the nearest of them is named
  const pods = selected.length > 0 ? selected : objects.pods;
  return explainService(service, pods, {
    version,
    readiness: (pod) => explainReadiness(pod, { version }).causes,
    current: objects.endpoints?.find(({ metadata }) => isOf(service, metadata)),
    // one that was never in a cluster waits for nobody
    loadBalancing: () =>
      service.metadata?.uid
        ? explainLoadBalancer({
            service: service as BalancedService,
            nodes: nodes as readonly BalancedNode[] | undefined,
            events,
            version,
          })
        : [],
  });
}

const isOf = ({ metadata: own }: TraceService, metadata: TraceService['metadata']): boolean =>
  (own?.name ?? '') === (metadata?.name ?? '') && (own?.namespace ?? '') === (metadata?.namespace ?? '');
