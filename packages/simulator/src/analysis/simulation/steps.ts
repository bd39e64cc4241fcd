import type { ApiObject } from 'kube-endpoints/port';
import type { Cluster } from '../../cluster/cluster.ts';
import { isMap, oneOf, oneOrMore, optional, type Read, record, text, wholeNumber } from '../fields.ts';
import type { Action, ScenarioContext } from '../scenario.ts';
import { clusterKinds } from '../world.ts';
import { cordonNodes, evictPod, planDrain } from './drain-nodes.ts';
import { countFields, describeObjects, findObjects, type Selection, selection } from './targets.ts';

/** What a step does. */
export interface StepPlan extends Omit<Action, 'at'> {
  /** For example "restart Deployment shop/web". */
  readonly summary: string;
  /** The objects that it applies. */
  readonly objects?: readonly ApiObject[];
  /** The pods that it takes out of a component. */
  readonly takesOut?: Selection & { readonly component: string };
  /** The component whose pods it restores. */
  readonly restores?: string;
}

export type StepName =
  | 'apply'
  | 'delete'
  | 'scale'
  | 'setImage'
  | 'restart'
  | 'evict'
  | 'cordon'
  | 'uncordon'
  | 'drain'
  | 'shutDown'
  | 'deregister'
  | 'register';

const planned =
  <T>(read: Read<T>, plan: (value: T) => StepPlan): Read<StepPlan> =>
  (path, value) =>
    plan(read(path, value));

const maxItems = 1000;
const nodes = oneOrMore(text('the name of a node'), maxItems);

const object: Read<ApiObject> = (path, value) => {
  const { kind, metadata } = (isMap(value) ? value : {}) as { readonly kind?: unknown; readonly metadata?: { readonly name?: unknown } };
  if (typeof kind !== 'string' || typeof metadata?.name !== 'string')
    throw new RangeError(`${path}: give an object with kind and metadata.name`);
  return value as ApiObject;
};

const namespacedKind: Read<string> = (path, value) => {
  if (clusterKinds.includes(value as string))
    throw new RangeError(
      `${path}: give a kind whose objects have a namespace, such as Pod; drain or shutDown nodes instead, or let them be lost`,
    );
  return text('a kind such as Pod')(path, value);
};

/** Creates objects or replaces them, in their order. */
export const planApply = (objects: readonly ApiObject[]): StepPlan => ({
  summary: `apply ${objects.map(describe).join(', ') || 'no object that is simulated'}`,
  objects,
  run: ({ cluster }) => objects.forEach((each) => void cluster.apply(each)),
});

const describe = ({ kind, metadata }: ApiObject): string =>
  `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`;

/** The steps of a scenario: what users of kubectl, and of a load balancer outside the cluster, do. */
export const stepRows: Readonly<Record<StepName, Read<StepPlan>>> = {
  apply: planned(oneOrMore(object, maxItems), planApply),
  delete: planned(selection({ kind: namespacedKind, ...countFields }), ({ kind, ...selected }) => ({
    summary: `delete ${describeObjects(kind, selected)}`,
    run: ({ cluster }) => {
      for (const { metadata } of findObjects(cluster, kind, selected))
        cluster.delete(kind, metadata.namespace ?? '', metadata.name ?? '', { propagationPolicy: 'Background' });
    },
  })),
  scale: planned(
    selection({ kind: oneOf('Deployment', 'StatefulSet', 'ReplicaSet'), replicas: wholeNumber(0, maxItems) }),
    ({ kind, replicas, ...selected }) => ({
      summary: `scale ${describeObjects(kind, selected)} to ${replicas}`,
      run: ({ cluster }) => changeSpecs(cluster, kind, selected, (spec) => ({ ...spec, replicas })),
    }),
  ),
  setImage: planned(
    selection({
      kind: oneOf('Deployment', 'StatefulSet', 'Pod'),
      container: optional(text('the name of a container')),
      image: text('an image such as web:2'),
    }),
    ({ kind, container, image, ...selected }) => ({
      summary: `set the image of ${describeObjects(kind, selected)} to ${image}`,
      run: ({ cluster }) => changeSpecs(cluster, kind, selected, (spec) => withImage(kind, spec, image, container)),
    }),
  ),
  restart: planned(selection({ kind: oneOf('Deployment', 'StatefulSet') }), ({ kind, ...selected }) => ({
    summary: `restart ${describeObjects(kind, selected)}`,
    run: ({ cluster }) => {
      const restartedAt = new Date(cluster.clock.now()).toISOString();
      changeSpecs(cluster, kind, selected, (spec) => withRestart(spec, restartedAt));
    },
  })),
  evict: planned(selection(countFields), (selected) => ({
    summary: `evict ${describeObjects('Pod', selected)}`,
    run: ({ cluster }) => findObjects(cluster, 'Pod', selected).forEach((pod) => void evictPod(cluster, pod)),
  })),
  cordon: planned(nodes, (names) => ({
    summary: `cordon ${names.join(', ')}`,
    run: ({ cluster }) => cordonNodes(cluster, names, true),
  })),
  uncordon: planned(nodes, (names) => ({
    summary: `uncordon ${names.join(', ')}`,
    run: ({ cluster }) => cordonNodes(cluster, names, false),
  })),
  drain: planned(nodes, (names) => ({ summary: `drain ${names.join(', ')}`, ...planDrain(names) })),
  shutDown: planned(nodes, (names) => ({
    summary: `shut down ${names.join(', ')}`,
    run: ({ cluster }) => names.forEach((name) => void cluster.shutDownNode(name)),
  })),
  deregister: planned(selection({ component: text('a component such as load-balancer/web') }), ({ component, ...selected }) => ({
    summary: `take ${describeObjects('Pod', selected)} out of ${component}`,
    takesOut: { component, ...selected },
    run: (context) => {
      const addresses = findObjects(context.cluster, 'Pod', selected).flatMap(addressesOf);
      context.routes.deregister(checkRouter(context, component), addresses);
    },
  })),
  register: planned(record({ component: text('a component such as load-balancer/web') }), ({ component }) => ({
    summary: `restore the routes of ${component}`,
    restores: component,
    run: (context) => context.routes.register(checkRouter(context, component)),
  })),
};

type Spec = Readonly<Record<string, unknown>>;

interface Template {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec?: Spec;
}

/** Replaces the specs of objects that exist now. */
function changeSpecs(cluster: Cluster, kind: string, selected: Selection, change: (spec: Spec) => Spec): void {
  for (const found of findObjects(cluster, kind, selected)) cluster.apply({ ...found, spec: change(found['spec'] as Spec) });
}

/** Sets the image in a pod, where the kubelet replaces the container in place, or in a pod template. @throws RangeError without such a container */
function withImage(kind: string, spec: Spec, image: string, container: string | undefined): Spec {
  if (kind === 'Pod') {
    const containers = spec['containers'] as readonly { readonly name: string }[];
    const names = containers.map(({ name }) => name);
    if (container !== undefined && !names.includes(container))
      throw new RangeError(`there is no container ${JSON.stringify(container)}: give ${names.join(', ')}`);
    return { ...spec, containers: containers.map((each) => ({ ...each, ...((container ?? each.name) === each.name && { image }) })) };
  }
  const template = spec['template'] as Template;
  return { ...spec, template: { ...template, spec: withImage('Pod', template.spec ?? {}, image, container) } };
}

/** Mirrors `kubectl rollout restart` (1.36, polymorphichelpers/objectrestarter.go). */
function withRestart(spec: Spec, restartedAt: string): Spec {
  const { metadata, ...template } = spec['template'] as Template;
  const annotations = { ...metadata?.annotations, 'kubectl.kubernetes.io/restartedAt': restartedAt };
  return { ...spec, template: { ...template, metadata: { ...metadata, annotations } } };
}

const addressesOf = ({ status }: ApiObject): string[] =>
  ((status as { readonly podIPs?: readonly { readonly ip: string }[] } | undefined)?.podIPs ?? []).map(({ ip }) => ip);

function checkRouter({ routes }: ScenarioContext, component: string): string {
  const actors = routes.actors();
  if (!actors.includes(component))
    throw new RangeError(`.component: ${JSON.stringify(component)} does not route: give one of ${actors.join(', ')}`);
  return component;
}
