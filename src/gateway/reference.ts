import { nameOf, namespaceOf } from '../apimachinery/index.ts';
import type { NamedObject } from './objects.ts';

export type GatewayKind =
  | 'Ingress'
  | 'IngressClass'
  | 'GatewayClass'
  | 'Gateway'
  | 'ListenerSet'
  | 'HTTPRoute'
  | 'GRPCRoute'
  | 'TLSRoute'
  | 'TCPRoute'
  | 'UDPRoute'
  | 'ReferenceGrant';

/** Names an object. Classes have no namespace. */
export interface GatewayReference {
  readonly kind: GatewayKind;
  readonly namespace?: string;
  readonly name: string;
}

const clusterKinds: readonly GatewayKind[] = ['IngressClass', 'GatewayClass'];

export const referenceTo = (kind: GatewayKind, object: NamedObject): GatewayReference => ({
  kind,
  ...(!clusterKinds.includes(kind) && { namespace: namespaceOf(object) }),
  name: nameOf(object),
});

/** For example: HTTPRoute shop/web. */
export const formatReference = ({ kind, namespace, name }: GatewayReference): string =>
  `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
