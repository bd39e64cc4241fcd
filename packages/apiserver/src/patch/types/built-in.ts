import type { JsonMap } from '../json.ts';
import { containerTypes } from './container.ts';
import { coreTypes } from './core.ts';
import { customResourceDefinitionTypes } from './custom-resource-definition.ts';
import { metaTypes } from './meta.ts';
import { nodeTypes } from './node.ts';
import { podTypes } from './pod.ts';
import type { TypeRef } from './type.ts';
import { parseTypes } from './type-text.ts';
import { volumeTypes } from './volume.ts';
import { webhookTypes } from './webhook.ts';

export interface KindTypes {
  readonly type: TypeRef;
  /** The zero object as Go encodes it, including empty fields without omitempty. New objects start from it. */
  readonly empty: Readonly<JsonMap>;
}

/** Finds a built-in kind. Returns undefined if the apiVersion has no such kind. */
export function builtInKind(apiVersion: string, kind: string): KindTypes | undefined {
  const name = apiVersion === 'events.k8s.io/v1' ? `Events${kind}` : kind;
  const type = builtInType(name);
  const entry = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (type === undefined || entry?.apiVersion !== apiVersion) return undefined;
  return { type, empty: { apiVersion, kind, metadata: {}, ...structuredClone(entry.empty) } };
}

/** Finds a built-in type by its Go name: "PodSpec", "ObjectMeta". */
export const builtInType = (name: string): TypeRef | undefined => types.get(name);

const types = parseTypes(
  metaTypes,
  coreTypes,
  podTypes,
  containerTypes,
  volumeTypes,
  nodeTypes,
  webhookTypes,
  customResourceDefinitionTypes,
);

const noNames = { plural: '', kind: '' };

const kinds: Readonly<Record<string, { readonly apiVersion: string; readonly empty: JsonMap }>> = {
  ConfigMap: { apiVersion: 'v1', empty: {} },
  CustomResourceDefinition: {
    apiVersion: 'apiextensions.k8s.io/v1',
    empty: {
      spec: { group: '', names: noNames, scope: '', versions: null },
      status: { conditions: null, acceptedNames: noNames, storedVersions: null },
    },
  },
  EndpointSlice: { apiVersion: 'discovery.k8s.io/v1', empty: { addressType: '', endpoints: null, ports: null } },
  Endpoints: { apiVersion: 'v1', empty: {} },
  Event: {
    apiVersion: 'v1',
    empty: {
      involvedObject: {},
      source: {},
      firstTimestamp: null,
      lastTimestamp: null,
      eventTime: null,
      reportingComponent: '',
      reportingInstance: '',
    },
  },
  EventsEvent: {
    apiVersion: 'events.k8s.io/v1',
    empty: { eventTime: null, deprecatedSource: {}, deprecatedFirstTimestamp: null, deprecatedLastTimestamp: null },
  },
  Lease: { apiVersion: 'coordination.k8s.io/v1', empty: { spec: {} } },
  MutatingWebhookConfiguration: { apiVersion: 'admissionregistration.k8s.io/v1', empty: {} },
  Namespace: { apiVersion: 'v1', empty: { spec: {}, status: {} } },
  Node: {
    apiVersion: 'v1',
    empty: {
      spec: {},
      status: {
        daemonEndpoints: { kubeletEndpoint: { Port: 0 } },
        nodeInfo: {
          machineID: '',
          systemUUID: '',
          bootID: '',
          kernelVersion: '',
          osImage: '',
          containerRuntimeVersion: '',
          kubeletVersion: '',
          kubeProxyVersion: '',
          operatingSystem: '',
          architecture: '',
        },
      },
    },
  },
  Pod: { apiVersion: 'v1', empty: { spec: { containers: null }, status: {} } },
  Secret: { apiVersion: 'v1', empty: {} },
  Service: { apiVersion: 'v1', empty: { spec: {}, status: { loadBalancer: {} } } },
  ServiceAccount: { apiVersion: 'v1', empty: {} },
  ValidatingWebhookConfiguration: { apiVersion: 'admissionregistration.k8s.io/v1', empty: {} },
};
