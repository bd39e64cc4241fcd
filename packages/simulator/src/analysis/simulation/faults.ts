import type { ApiObject } from 'kube-endpoints/port';
import type { Cluster } from '../../cluster/cluster.ts';
import { type DelayName, delays } from '../../engine/delays.ts';
import { isComponent } from '../drop.ts';
import { oneOf, optional, type Read, record, text, wholeNumber } from '../fields.ts';
import type { ScenarioContext } from '../scenario.ts';
import type { DelayFault } from './delay-faults.ts';
import type { ProcessFault } from './processes.ts';
import { type ContainerSelection, containerFields, describeObjects, findObjects, selection, selectsContainer } from './targets.ts';

/** What a fault does in one run. */
export interface FaultPlan {
  /** What it does, for example "watches of kube-proxy/n1 stall". */
  readonly summary: string;
  /** What its end does, for example "watches of kube-proxy/n1 go on". */
  readonly endSummary: string;
  /**
   * Starts the fault, and returns what ends it.
   * @param until its end in milliseconds since the epoch; undefined if it has none
   * @throws RangeError if something that it names does not exist
   */
  start(context: ScenarioContext, until: number | undefined): () => void;
}

export type FaultName = 'stallWatch' | 'reconnectWatch' | 'stallRequests' | 'slow' | 'stopController' | 'crash' | 'failProbe' | 'loseNode';

const planned =
  <T>(read: Read<T>, plan: (value: T) => FaultPlan): Read<FaultPlan> =>
  (path, value) =>
    plan(read(path, value));

const component = text('a component such as kube-proxy/n1 or endpointslice-controller');
const containers = selection(containerFields);
const node = text('the name of a node');

/** The faults of a scenario. */
export const faultRows: Readonly<Record<FaultName, Read<FaultPlan>>> = {
  stallWatch: planned(record({ component }), (value) => ({
    summary: `watches of ${value.component} stall`,
    endSummary: `watches of ${value.component} go on`,
    start: (context, until) => {
      checkComponent(context.cluster, value.component);
      return stall(context, 'watch', value.component, until);
    },
  })),
  reconnectWatch: planned(record({ component }), (value) => ({
    summary: `watches of ${value.component} are disconnected`,
    endSummary: `watches of ${value.component} list all objects again`,
    start: (context, until) => {
      const actors = checkComponent(context.cluster, value.component);
      const end = stall(context, 'watch', value.component, until);
      return () => {
        end();
        for (const actor of actors) context.cluster.watches.resend(actor);
      };
    },
  })),
  stallRequests: planned(record({ component }), (value) => ({
    summary: `requests of ${value.component} to the API server stall`,
    endSummary: `requests of ${value.component} are answered`,
    start: (context, until) => {
      checkComponent(context.cluster, value.component);
      return stall(context, 'request', value.component, until);
    },
  })),
  slow: planned(
    record({ delay: oneOf(...(Object.keys(delays) as DelayName[])), component: optional(component), factor: wholeNumber(2, 10_000) }),
    ({ delay, factor, component: slow }) => ({
      summary: `the delay ${delay}${slow === undefined ? '' : ` of ${slow}`} is ${factor} times as long`,
      endSummary: `the delay ${delay}${slow === undefined ? '' : ` of ${slow}`} is as before`,
      start: ({ delayFaults }) => disturb(delayFaults, { delay, factor, component: slow }),
    }),
  ),
  stopController: planned(record({ name: text('a controller such as endpointslice-controller') }), ({ name }) => ({
    summary: `${name} is down`,
    endSummary: `${name} starts`,
    start: ({ cluster: { controllers } }) => {
      if (!controllers.names.includes(name))
        throw new RangeError(`.name: there is no controller ${JSON.stringify(name)}: give one of ${controllers.names.join(', ')}`);
      controllers.stop(name);
      return () => controllers.start(name);
    },
  })),
  crash: planned(containers, (selected) => ({
    summary: `processes of ${describeObjects('Pod', selected)} crash`,
    endSummary: `processes of ${describeObjects('Pod', selected)} do not crash any more`,
    start: (context, until) => {
      const fault = createProcessFault(context, selected, 'start');
      context.processes.crash(fault.matches);
      return until === undefined ? () => {} : disturb(context.processes, fault);
    },
  })),
  failProbe: planned(selection({ ...containerFields, probe: oneOf('readiness', 'liveness', 'startup') }), ({ probe, ...selected }) => ({
    summary: `${probe} probes of ${describeObjects('Pod', selected)} fail`,
    endSummary: `${probe} probes of ${describeObjects('Pod', selected)} run as before`,
    start: (context) => disturb(context.processes, createProcessFault(context, selected, probe)),
  })),
  loseNode: planned(record({ node }), ({ node: lost }) => ({
    summary: `${lost} is lost`,
    endSummary: `${lost} is restored`,
    start: ({ cluster }) => {
      cluster.loseNode(lost);
      return () => cluster.restoreNode(lost);
    },
  })),
};

/** Delays that begin until the end of the fault last longer than the fault; without an end, they never end. */
function stall({ delayFaults }: ScenarioContext, delay: DelayName, component: string, until = Number.POSITIVE_INFINITY): () => void {
  return disturb(delayFaults, { delay, component, until });
}

/** Puts a fault in force, and returns what ends it. */
function disturb<Fault extends DelayFault | ProcessFault>(
  faults: { add(fault: Fault): void; remove(fault: Fault): void },
  fault: Fault,
): () => void {
  faults.add(fault);
  return () => faults.remove(fault);
}

/** @throws RangeError if no pod is selected now */
function createProcessFault({ cluster }: ScenarioContext, selected: ContainerSelection, fails: ProcessFault['fails']): ProcessFault {
  findObjects(cluster, 'Pod', selected);
  return { fails, matches: (container) => selectsContainer(cluster, selected, container) };
}

/** The watching components of a name, such as "kube-proxy" for those of all nodes. Kubelets cannot list again. @throws RangeError without any */
function checkComponent({ watches, list }: Cluster, name: string): readonly string[] {
  const actors = watches.actors();
  const kubelets = list<ApiObject>('Node').map(({ metadata }) => `kubelet/${metadata.name}`);
  if (![...actors, ...kubelets].some((actor) => isComponent(actor, [name])))
    throw new RangeError(`.component: there is no ${JSON.stringify(name)}: give one of ${[...actors, ...kubelets].sort().join(', ')}`);
  return actors.filter((actor) => isComponent(actor, [name]));
}
