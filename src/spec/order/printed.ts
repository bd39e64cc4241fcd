import type { EndpointAddress, EndpointPort, EndpointSubset, TargetRef } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import type { Digest, Literal } from '../hash/digest.ts';
import { literal } from '../hash/fnv128a.ts';

/**
 * Writes Go structures as spew prints them with `%#v`, methods disabled and pointers followed: the name of the outermost type, then
 * every field with its type. The hashes of these texts define the order of ports and subsets. Mirrors DeepHashObject
 * (1.36, pkg/util/hash/hash.go) over v1.EndpointPort and v1.EndpointSubset (staging/src/k8s.io/api/core/v1/types.go).
 */
export function writeSubset(digest: Digest, { addresses, notReadyAddresses, ports }: EndpointSubset, profile: Profile): void {
  digest.literal(printed.subset);
  writeAddresses(digest, addresses);
  digest.literal(printed.notReadyAddresses);
  writeAddresses(digest, notReadyAddresses);
  digest.literal(printed.ports);
  writePorts(digest, ports, profile);
  digest.literal(printed.close);
}

/** A port outside a subset. */
export function writePort(digest: Digest, port: EndpointPort, profile: Profile): void {
  digest.literal(printed.port);
  writePortFields(digest, port, profile);
}

function writeAddresses(digest: Digest, addresses: readonly EndpointAddress[] | undefined): void {
  if (!addresses) {
    digest.literal(printed.nil);
    return;
  }
  digest.literal(printed.openList);
  for (let i = 0; i < addresses.length; i++) {
    const address = addresses[i] as EndpointAddress;
    writeField(digest, i === 0 ? printed.ip : printed.nextIP, address.ip);
    writeAddressAfterIP(digest, address);
  }
  digest.literal(printed.closeList);
}

function writePorts(digest: Digest, ports: readonly EndpointPort[] | undefined, profile: Profile): void {
  digest.literal(ports ? printed.openList : printed.nil);
  for (const [i, port] of ports?.entries() ?? []) {
    if (i > 0) digest.literal(printed.space);
    writePortFields(digest, port, profile);
  }
  if (ports) digest.literal(printed.closeList);
}

function writePortFields(digest: Digest, { name, port, protocol, appProtocol }: EndpointPort, profile: Profile): void {
  writeField(digest, printed.portName, name);
  writeField(digest, printed.number, String(port));
  writeField(digest, printed.protocol, protocol);
  if (profile.appProtocolPrinted) writePointer(digest, printed.appProtocol, appProtocol);
  digest.literal(printed.close);
}

/** Fields that most addresses print in the same way are combined into one literal. */
function writeAddressAfterIP(digest: Digest, { hostname, nodeName, targetRef }: EndpointAddress): void {
  if (hostname) {
    writeField(digest, printed.hostname, hostname);
    writePointer(digest, printed.nodeName, nodeName);
  } else writePointer(digest, printed.noHostnameAndNodeName, nodeName);
  if (targetRef) writeTarget(digest, targetRef);
  else digest.literal(printed.noTarget);
}

function writeTarget(digest: Digest, { kind, namespace, name, uid, apiVersion, resourceVersion, fieldPath }: TargetRef): void {
  if (kind === 'Pod') writeField(digest, printed.podAndNamespace, namespace);
  else {
    writeField(digest, printed.kind, kind);
    writeField(digest, printed.namespace, namespace);
  }
  writeField(digest, printed.name, name);
  writeField(digest, printed.uid, uid);
  if (apiVersion || resourceVersion || fieldPath) {
    writeField(digest, printed.apiVersion, apiVersion);
    writeField(digest, printed.resourceVersion, resourceVersion);
    writeField(digest, printed.fieldPath, fieldPath);
    digest.literal(printed.closeTargetAndAddress);
  } else digest.literal(printed.nothingMore);
}

function writeField(digest: Digest, label: Literal, value: string | undefined): void {
  digest.literal(label);
  if (value) digest.text(value);
}

function writePointer(digest: Digest, label: Literal, value: string | undefined): void {
  digest.literal(label);
  if (value === undefined) digest.literal(printed.nil);
  else if (value) digest.text(value);
}

const printed = {
  subset: literal('(v1.EndpointSubset){Addresses:([]v1.EndpointAddress)'),
  notReadyAddresses: literal(' NotReadyAddresses:([]v1.EndpointAddress)'),
  ports: literal(' Ports:([]v1.EndpointPort)'),
  port: literal('(v1.EndpointPort)'),
  nil: literal('<nil>'),
  openList: literal('['),
  space: literal(' '),
  closeList: literal(']'),
  close: literal('}'),
  portName: literal('{Name:(string)'),
  number: literal(' Port:(int32)'),
  protocol: literal(' Protocol:(v1.Protocol)'),
  appProtocol: literal(' AppProtocol:(*string)'),
  ip: literal('{IP:(string)'),
  nextIP: literal(' {IP:(string)'),
  hostname: literal(' Hostname:(string)'),
  nodeName: literal(' NodeName:(*string)'),
  noHostnameAndNodeName: literal(' Hostname:(string) NodeName:(*string)'),
  noTarget: literal(' TargetRef:(*v1.ObjectReference)<nil>}'),
  kind: literal(' TargetRef:(*v1.ObjectReference){Kind:(string)'),
  namespace: literal(' Namespace:(string)'),
  podAndNamespace: literal(' TargetRef:(*v1.ObjectReference){Kind:(string)Pod Namespace:(string)'),
  name: literal(' Name:(string)'),
  uid: literal(' UID:(types.UID)'),
  apiVersion: literal(' APIVersion:(string)'),
  resourceVersion: literal(' ResourceVersion:(string)'),
  fieldPath: literal(' FieldPath:(string)'),
  closeTargetAndAddress: literal('}}'),
  nothingMore: literal(' APIVersion:(string) ResourceVersion:(string) FieldPath:(string)}}'),
} as const;
