import type { EndpointAddress, EndpointPort, EndpointSubset, TargetRef } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import type { Digest, Literal } from '../hash/digest.ts';
import { createLiteral } from '../hash/fnv128a.ts';

/**
 * Writes Go structures as spew prints them with `%#v`, methods disabled and pointers followed: the name of the outermost type, then
 * every field with its type. The hashes of these texts define the order of ports and subsets. Mirrors DeepHashObject
 * (1.36, pkg/util/hash/hash.go) over v1.EndpointPort and v1.EndpointSubset (staging/src/k8s.io/api/core/v1/types.go).
 */
export function writeSubset(digest: Digest, { addresses, notReadyAddresses, ports }: EndpointSubset, profile: Profile): void {
  digest.addLiteral(literals.subset);
  writeAddresses(digest, addresses);
  digest.addLiteral(literals.notReadyAddresses);
  writeAddresses(digest, notReadyAddresses);
  digest.addLiteral(literals.ports);
  writePorts(digest, ports, profile);
  digest.addLiteral(literals.close);
}

/** Writes a port outside a subset. */
export function writePort(digest: Digest, port: EndpointPort, profile: Profile): void {
  digest.addLiteral(literals.port);
  writePortFields(digest, port, profile);
}

function writeAddresses(digest: Digest, addresses: readonly EndpointAddress[] | undefined): void {
  if (!addresses) {
    digest.addLiteral(literals.nil);
    return;
  }
  digest.addLiteral(literals.openList);
  for (let i = 0; i < addresses.length; i++) {
    const address = addresses[i] as EndpointAddress;
    writeField(digest, i === 0 ? literals.ip : literals.nextIP, address.ip);
    writeAddressAfterIP(digest, address);
  }
  digest.addLiteral(literals.closeList);
}

function writePorts(digest: Digest, ports: readonly EndpointPort[] | undefined, profile: Profile): void {
  digest.addLiteral(ports ? literals.openList : literals.nil);
  for (const [i, port] of ports?.entries() ?? []) {
    if (i > 0) digest.addLiteral(literals.space);
    writePortFields(digest, port, profile);
  }
  if (ports) digest.addLiteral(literals.closeList);
}

function writePortFields(digest: Digest, { name, port, protocol, appProtocol }: EndpointPort, profile: Profile): void {
  writeField(digest, literals.portName, name);
  writeField(digest, literals.number, String(port));
  writeField(digest, literals.protocol, protocol);
  if (profile.appProtocolPrinted) writePointer(digest, literals.appProtocol, appProtocol);
  digest.addLiteral(literals.close);
}

/** Writes the fields after the IP. Fields that most addresses print in the same way are combined into one literal. */
function writeAddressAfterIP(digest: Digest, { hostname, nodeName, targetRef }: EndpointAddress): void {
  if (hostname) {
    writeField(digest, literals.hostname, hostname);
    writePointer(digest, literals.nodeName, nodeName);
  } else writePointer(digest, literals.noHostnameAndNodeName, nodeName);
  if (targetRef) writeTarget(digest, targetRef);
  else digest.addLiteral(literals.noTarget);
}

function writeTarget(digest: Digest, { kind, namespace, name, uid, apiVersion, resourceVersion, fieldPath }: TargetRef): void {
  if (kind === 'Pod') writeField(digest, literals.podAndNamespace, namespace);
  else {
    writeField(digest, literals.kind, kind);
    writeField(digest, literals.namespace, namespace);
  }
  writeField(digest, literals.name, name);
  writeField(digest, literals.uid, uid);
  if (apiVersion || resourceVersion || fieldPath) {
    writeField(digest, literals.apiVersion, apiVersion);
    writeField(digest, literals.resourceVersion, resourceVersion);
    writeField(digest, literals.fieldPath, fieldPath);
    digest.addLiteral(literals.closeTargetAndAddress);
  } else digest.addLiteral(literals.closeWithEmptyRest);
}

function writeField(digest: Digest, label: Literal, value: string | undefined): void {
  digest.addLiteral(label);
  if (value) digest.addText(value);
}

function writePointer(digest: Digest, label: Literal, value: string | undefined): void {
  digest.addLiteral(label);
  if (value === undefined) digest.addLiteral(literals.nil);
  else if (value) digest.addText(value);
}

const literals = {
  subset: createLiteral('(v1.EndpointSubset){Addresses:([]v1.EndpointAddress)'),
  notReadyAddresses: createLiteral(' NotReadyAddresses:([]v1.EndpointAddress)'),
  ports: createLiteral(' Ports:([]v1.EndpointPort)'),
  port: createLiteral('(v1.EndpointPort)'),
  nil: createLiteral('<nil>'),
  openList: createLiteral('['),
  space: createLiteral(' '),
  closeList: createLiteral(']'),
  close: createLiteral('}'),
  portName: createLiteral('{Name:(string)'),
  number: createLiteral(' Port:(int32)'),
  protocol: createLiteral(' Protocol:(v1.Protocol)'),
  appProtocol: createLiteral(' AppProtocol:(*string)'),
  ip: createLiteral('{IP:(string)'),
  nextIP: createLiteral(' {IP:(string)'),
  hostname: createLiteral(' Hostname:(string)'),
  nodeName: createLiteral(' NodeName:(*string)'),
  noHostnameAndNodeName: createLiteral(' Hostname:(string) NodeName:(*string)'),
  noTarget: createLiteral(' TargetRef:(*v1.ObjectReference)<nil>}'),
  kind: createLiteral(' TargetRef:(*v1.ObjectReference){Kind:(string)'),
  namespace: createLiteral(' Namespace:(string)'),
  podAndNamespace: createLiteral(' TargetRef:(*v1.ObjectReference){Kind:(string)Pod Namespace:(string)'),
  name: createLiteral(' Name:(string)'),
  uid: createLiteral(' UID:(types.UID)'),
  apiVersion: createLiteral(' APIVersion:(string)'),
  resourceVersion: createLiteral(' ResourceVersion:(string)'),
  fieldPath: createLiteral(' FieldPath:(string)'),
  closeTargetAndAddress: createLiteral('}}'),
  closeWithEmptyRest: createLiteral(' APIVersion:(string) ResourceVersion:(string) FieldPath:(string)}}'),
} as const;
