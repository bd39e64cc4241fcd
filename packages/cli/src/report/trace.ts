import type { PodMode, TraceService } from 'kube-endpoints/internal';
import { type Trace, TraceError, type TraceObjects, type TraceQuestion, traceTarget } from 'kube-endpoints/trace';
import { profileFor } from 'kube-endpoints/versions';
import { UsageError } from '../base/io.ts';
import { listWorkloads } from '../input/collection.ts';
import type { LoadedObjects } from '../live/read-objects.ts';
import { findInvalidPolicies, toPolicyObjects } from './diagnoses.ts';
import { loadRegexMatcher, toRoutes } from './routes.ts';

/** What a trace asks, and how the DNS of the cluster is set up. */
export interface TraceRequest extends Omit<TraceQuestion, 'namespace'> {
  /** Such as "cluster.local". */
  readonly zone?: string | undefined;
  readonly pods?: PodMode | undefined;
}

/** Traces a target through the objects of an input. Policies and routes that an API server does not accept are left out, and reported. */
export async function traceObjects(
  { target, from, node, zone, pods }: TraceRequest,
  loadedObjects: LoadedObjects,
): Promise<{ readonly trace: Trace; readonly errors: readonly string[] }> {
  const { inventory, live, namespace, release } = loadedObjects;
  const routes = toRoutes(inventory, live);
  const matchRegex = await loadRegexMatcher(routes.objects);
  const dns = { ...(zone !== undefined && { zones: [zone, 'in-addr.arpa', 'ip6.arpa'] }), ...(pods !== undefined && { pods }) };
  const objects = { ...toTraceObjects(loadedObjects), routes: routes.objects };
  try {
    const trace = traceTarget({ target, from, node, namespace }, objects, { ...release, dns, matchRegex });
    return { trace, errors: [...findInvalidPolicies(inventory), ...routes.errors] };
  } catch (error) {
    if (error instanceof TraceError) throw new UsageError(error.message);
    throw error;
  }
}

/**
 * Converts the objects for the trace. Slices are unknown before 1.21, and if a dump holds none, because the dump may be incomplete. A live
 * cluster that returns no slices has none.
 */
function toTraceObjects({ inventory, live, release: { version } }: LoadedObjects): TraceObjects {
  const { pods, endpoints, slices, nodes, namespaces, serviceCIDRs, events, servicesWithPlaceholderIP, templatePods } = inventory;
  const workloads = listWorkloads(inventory);
  const areSlicesKnown = profileFor(version).slicesAreV1 && (live || slices.length > 0);
  return {
    // The input was validated when it was read, so each item is a TraceService.
    services: inventory.services as readonly TraceService[],
    pods,
    slices: areSlicesKnown ? slices : undefined,
    endpoints,
    nodes,
    namespaces,
    serviceCIDRs,
    events,
    standIns: servicesWithPlaceholderIP,
    templatePods,
    policies: toPolicyObjects(inventory),
    workloads: workloads.length > 0 ? workloads : undefined,
  };
}
