import type { ReasonCode } from '../../src/explain/index.ts';
import { choosePods, type Mutation, type Mutations, mistype, removeSlices } from './mutation.ts';
import { type Application, isExternalName, isManaged, type ServicePortObject, type World } from './objects.ts';
import { loadBalancerFinalizer } from './world.ts';

const selectorCause = ({ workload }: Application): ReasonCode => (workload ? 'TemplateLabelsDoNotMatch' : 'SelectorMatchesNothing');

/** Changes the selector, so that it matches nothing. */
const selector = (
  change: (selector: Record<string, string>, mistypeText: (text: string) => string) => Record<string, string>,
): Mutation => ({
  cause: selectorCause,
  apply(application, _, random) {
    removeSlices(application);
    application.service.spec.selector = change(application.service.spec.selector ?? {}, (text) => mistype(text, random));
  },
});

const entriesOf = (labels: Record<string, string>): [[string, string], ...[string, string][]] =>
  Object.entries(labels) as [[string, string], ...[string, string][]];

const port = (
  cause: Mutation['cause'],
  applies: (port: ServicePortObject) => boolean,
  change: (port: ServicePortObject) => void,
): Mutation => ({
  cause,
  applies: (application) => isManaged(application) && application.service.spec.ports.every(applies),
  apply(application) {
    removeSlices(application);
    for (const each of application.service.spec.ports) change(each);
    if (cause === 'UnknownField') forgetServer(application);
  },
});

/** Makes the Service one that no API server has stored, because a server drops unknown fields. */
function forgetServer({ service }: Application): void {
  delete (service.metadata as { uid?: string }).uid;
}

const isNamed = ({ targetPort }: ServicePortObject): boolean => typeof targetPort === 'string';
const isNumber = (each: ServicePortObject): boolean => !isNamed(each);
const isCluster = ({ service }: Application): boolean => service.spec.clusterIP !== 'None';

const renamePort =
  (all: boolean): Mutation['apply'] =>
  (application, _, random) => {
    removeSlices(application);
    const [first, ...others] = application.pods;
    const chosen = all ? application.pods : others.length > 0 && first ? [first, ...others.slice(1).filter(() => random.chance(0.4))] : [];
    for (const pod of chosen) for (const each of pod.spec.containers[0]?.ports ?? []) each.name = 'renamed';
  };

const balancer = (cause: Mutation['cause'], change: (application: Application) => void): Mutation => ({
  cause,
  applies: ({ service }) => service.spec.type === 'LoadBalancer',
  apply(application) {
    application.service.status = { loadBalancer: {} };
    change(application);
  },
});

/** A namespace with other applications only. */
function findOtherNamespace({ service: { metadata } }: Application, { applications }: World): string | undefined {
  const others = applications.map(({ service }) => service.metadata);
  return others.find(({ namespace }) => others.every((other) => other.namespace !== namespace || other.name !== metadata.name))?.namespace;
}

export const serviceMutations: Mutations = {
  selectorValue: selector((labels, typo) => {
    const [[key, value], ...others] = entriesOf(labels);
    return Object.fromEntries([[key, typo(value)], ...others]);
  }),
  selectorKey: selector((labels, typo) => {
    const [[key, value], ...others] = entriesOf(labels);
    return Object.fromEntries([[typo(key), value], ...others]);
  }),
  selectorExtra: selector((labels) => ({ ...labels, version: 'v2' })),
  selectorCase: selector((labels) => {
    const [[key, value], ...others] = entriesOf(labels);
    return Object.fromEntries([[key, value.toUpperCase()], ...others]);
  }),
  selectorPrefix: selector((labels) => {
    const [[key, value], ...others] = entriesOf(labels);
    return Object.fromEntries([[key, `${value}-svc`], ...others]);
  }),
  emptySelector: {
    cause: 'SelectorIsEmpty',
    apply(application) {
      removeSlices(application);
      application.service.spec.selector = {};
    },
  },
  selectorsField: {
    cause: 'UnknownField',
    apply(application) {
      removeSlices(application);
      const { spec } = application.service;
      spec['selectors'] = spec.selector;
      delete spec.selector;
      forgetServer(application);
    },
  },
  otherNamespace: {
    cause: 'PodsInOtherNamespace',
    applies: (application, world) => isManaged(application) && findOtherNamespace(application, world) !== undefined,
    apply(application, world) {
      removeSlices(application);
      application.service.metadata.namespace = findOtherNamespace(application, world) ?? '';
    },
  },
  targetPortName: port('PortFoundInNoPod', isNamed, (each) => {
    each.targetPort = `${each.targetPort}s`;
  }),
  targetPortCase: port('PortFoundInNoPod', isNamed, (each) => {
    each.targetPort = String(each.targetPort).toUpperCase();
  }),
  namedPortProtocol: port('PortFoundInNoPod', isNamed, (each) => {
    each.protocol = each.protocol === 'TCP' ? 'UDP' : 'TCP';
  }),
  targetPortNumber: port('TargetPortUndeclared', isNumber, (each) => {
    each.targetPort = Number(each.targetPort) + 200;
  }),
  numberProtocol: port('TargetPortUndeclared', isNumber, (each) => {
    each.protocol = each.protocol === 'TCP' ? 'SCTP' : 'TCP';
  }),
  targetPortField: port('UnknownField', isNumber, (each) => {
    each['targetport'] = each.targetPort;
    each.targetPort = each.port;
  }),
  protocolField: port(
    'UnknownField',
    () => true,
    (each) => {
      each['protocl'] = each.protocol;
    },
  ),
  targetPortZero: port(
    'PortHasNoNumber',
    () => true,
    (each) => {
      each.targetPort = 0;
    },
  ),
  noPorts: {
    cause: 'ServiceHasNoPorts',
    applies: (application) => isManaged(application) && isCluster(application),
    apply(application) {
      removeSlices(application);
      application.service.spec.ports = [];
    },
  },
  allPodsRenamePort: {
    cause: 'PortFoundInNoPod',
    applies: (application) => isManaged(application) && application.service.spec.ports.every(isNamed),
    apply: renamePort(true),
  },
  somePodsRenamePort: {
    cause: 'PortMissingInSomePods',
    applies: (application) => isManaged(application) && application.pods.length > 1 && application.service.spec.ports.every(isNamed),
    apply: renamePort(false),
  },
  publishedNotReady: {
    cause: 'NotReadyPodsPublished',
    apply(application, _, random) {
      application.service.spec.publishNotReadyAddresses = true;
      for (const pod of choosePods(application, random)) pod.status.conditions = [{ type: 'Ready', status: 'False' }];
    },
  },
  oldAnnotation: {
    cause: 'AnnotationWithoutEffect',
    apply(application) {
      application.service.metadata.annotations = { 'service.alpha.kubernetes.io/tolerate-unready-endpoints': 'true' };
    },
  },
  balancerNotPickedUp: balancer('LoadBalancerNotPickedUp', ({ service }) => {
    service.metadata.finalizers = [];
  }),
  balancerPending: balancer('LoadBalancerPending', () => {}),
  balancerClass: balancer('LoadBalancerOfOtherClass', ({ service }) => {
    service.metadata.finalizers = [];
    service.spec.loadBalancerClass = 'example.com/edge';
  }),
  balancerNoNodePorts: balancer('LoadBalancerWithoutNodePorts', ({ service }) => {
    service.spec.allocateLoadBalancerNodePorts = false;
    for (const each of service.spec.ports) delete each.nodePort;
  }),
  balancerCleanup: {
    cause: 'LoadBalancerCleanupPending',
    applies: ({ service }) => service.spec.type === 'ClusterIP' && service.spec.selector !== undefined,
    apply({ service }) {
      service.metadata.finalizers = [loadBalancerFinalizer];
    },
  },
  externalIP: {
    cause: 'ExternalNameIsIP',
    applies: isExternalName,
    apply({ service }) {
      service.spec.externalName = '192.0.2.7';
    },
  },
};
