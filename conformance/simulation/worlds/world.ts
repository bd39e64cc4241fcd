import type { ControllerName } from '@kube-endpoints/controllers/internal';
import { type ApiObject, resources } from 'kube-endpoints/port';
import type { Mode } from '../harness/settings.ts';
import { namedObject, withLabels } from '../harness/test-client.ts';
import type { Call, Log, Server } from './server.ts';

/** A small world: few objects, few changes of them, few processes. */
export interface World {
  readonly name: string;
  readonly mode: Mode;
  /** The controllers of each process; all if undefined. */
  readonly controller: ControllerName | undefined;
  readonly replicaCount: number;
  readonly maxFaults: number;
  /** The objects that exist before the first process starts. */
  readonly objects: readonly Call[];
  /** The changes of each client, in order. Changes of different clients happen in any order. */
  readonly clients: readonly (readonly ClientChange[])[];
}

/** Calls that the server handles one directly after another. */
export interface ClientChange {
  readonly label: string;
  /** The plural of the resource that it changes. */
  readonly plural: string;
  readonly calls: readonly ((server: Server) => Call)[];
}

type Fields = Readonly<Record<string, unknown>>;

const namespace = 'one';
export const serviceKey: string = `${namespace}/web`;
const name = 'web';

const create = (resource: Call['resource'], object: ApiObject): Call => ({ verb: 'create', resource, object });

const createService = (spec: Fields): Call =>
  create(resources.services, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace, name },
    spec: {
      ...{ type: 'ClusterIP', clusterIP: '10.96.0.10', clusterIPs: ['10.96.0.10'], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' },
      ...{ ports: [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' }], ...spec },
    },
  });

const selector = { app: 'web' };

const createPod = (number: number, isReady: boolean, address: number = number): Call =>
  create(resources.pods, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace, name: `p${number}`, labels: selector },
    spec: { nodeName: 'n1', containers: [{ name: 'web', image: 'web' }] },
    status: podStatus(address, isReady),
  });

const podStatus = (address: number, isReady: boolean): Fields => ({
  ...{ phase: 'Running', podIP: `10.1.0.${address}`, podIPs: [{ ip: `10.1.0.${address}` }] },
  conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }],
});

const createEndpoints = (ip: string): Call =>
  create(resources.endpoints, {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { namespace, name },
    subsets: [{ addresses: [{ ip }], ports: [{ name: 'http', port: 8080, protocol: 'TCP' }] }],
  });

const commonObjects: readonly Call[] = [
  create(resources.namespaces, namedObject('Namespace', namespace)),
  create(resources.nodes, namedObject('Node', 'n1')),
];

/** A call that changes an existing object. */
const change =
  (resource: Call['resource'], objectName: string, update: (object: ApiObject) => ApiObject) =>
  (server: Server): Call => {
    const object = (server[resource.plural] as Log).objects.get(`${namespace}/${objectName}`) as ApiObject;
    const { resourceVersion: _, ...metadata } = object.metadata;
    return { verb: 'update', resource, object: update({ ...object, metadata }) };
  };

const remove = (resource: Call['resource'], objectName: string) => (): Call => ({
  verb: 'delete',
  resource,
  key: { namespace, name: objectName },
});

const setReady = (number: number, isReady: boolean): ClientChange => ({
  label: `makes pod p${number} ${isReady ? 'ready' : 'unready'}`,
  plural: resources.pods.plural,
  calls: [change(resources.pods, `p${number}`, (pod) => ({ ...pod, status: podStatus(number, isReady) }))],
});

const deletePod = (number: number): ClientChange => ({
  label: `deletes pod p${number}`,
  plural: resources.pods.plural,
  calls: [remove(resources.pods, `p${number}`)],
});

const setSpec = (label: string, spec: Fields): ClientChange => ({
  label,
  plural: resources.services.plural,
  calls: [change(resources.services, name, (service) => ({ ...service, spec: { ...(service['spec'] as Fields), ...spec } }))],
});

const setEndpoints = (ip: string): ClientChange => ({
  label: `changes the address of the Endpoints to ${ip}`,
  plural: resources.endpoints.plural,
  calls: [change(resources.endpoints, name, (endpoints) => ({ ...endpoints, subsets: createEndpoints(ip).object?.['subsets'] }))],
});

/** The change of each pod of the worlds of one Service and some pods. */
const podChanges: readonly ClientChange[] = [setReady(1, true), deletePod(2), setReady(3, true)];

export interface WorldSize {
  readonly controller?: ControllerName | undefined;
  readonly pods: number;
  /** The numbers of the pods that change: p1 and p3 become ready, and p2 is deleted. All by default. */
  readonly changed?: readonly number[];
  readonly replicas: number;
  readonly faults: number;
}

/** A Service with pods, all or some of which change once, at any time. Several processes elect a leader. */
export const createPodWorld = ({ controller, pods, changed, replicas, faults }: WorldSize): World => ({
  ...{
    name: changed ? `change-of-p${changed.join('-p')}-of-${pods}` : `pods-${pods}`,
    mode: replicas === 1 ? 'alone' : 'elected',
    replicaCount: replicas,
    maxFaults: faults,
    controller,
  },
  objects: [
    ...commonObjects,
    createService({ selector }),
    ...Array.from({ length: pods }, (_, index) => createPod(index + 1, index === 1)),
  ],
  clients: podChanges
    .slice(0, pods)
    .filter((_, index) => !changed || changed.includes(index + 1))
    .map((podChange) => [podChange]),
});

interface SpecialWorld {
  readonly objects: readonly Call[];
  readonly clients: World['clients'];
}

const webService = createService({ selector });
const readyPod = createPod(1, true);

/** Worlds about one kind of change. */
const specialWorlds: Readonly<Record<string, SpecialWorld>> = {
  'pod-changes-twice': { objects: [webService, createPod(1, false)], clients: [[setReady(1, true), setReady(1, false)]] },
  'pod-recreated': {
    objects: [webService, readyPod],
    clients: [
      [
        {
          label: 'deletes pod p1 and creates it again',
          plural: resources.pods.plural,
          calls: [remove(resources.pods, 'p1'), () => readyPod],
        },
      ],
    ],
  },
  'service-recreated': {
    objects: [webService, readyPod],
    clients: [
      [
        {
          label: 'deletes the Service and creates it again',
          plural: resources.services.plural,
          calls: [remove(resources.services, name), () => webService],
        },
      ],
    ],
  },
  'selector-changed': {
    objects: [webService, readyPod],
    clients: [
      [setSpec('changes the selector', { selector: { app: 'other' } })],
      [
        {
          label: 'relabels pod p1',
          plural: resources.pods.plural,
          calls: [change(resources.pods, 'p1', (pod) => withLabels(pod, { app: 'other' }))],
        },
      ],
    ],
  },
  'selector-removed': {
    objects: [webService, readyPod],
    clients: [[setSpec('removes the selector', { selector: undefined })], [setReady(1, false)]],
  },
  'selector-added': {
    objects: [createService({}), readyPod, createEndpoints('192.0.2.1')],
    clients: [[setSpec('adds a selector', { selector })], [setReady(1, false)]],
  },
  'custom-endpoints': {
    objects: [createService({}), createEndpoints('192.0.2.1')],
    clients: [[setEndpoints('192.0.2.2'), setEndpoints('192.0.2.3')]],
  },
};

export const createSpecialWorlds = ({ controller, faults }: Pick<WorldSize, 'faults' | 'controller'>): World[] =>
  Object.entries(specialWorlds).map(([worldName, { objects, clients }]) => ({
    ...{ name: worldName, mode: 'alone', replicaCount: 1, maxFaults: faults, controller, clients },
    objects: [...commonObjects, ...objects],
  }));
