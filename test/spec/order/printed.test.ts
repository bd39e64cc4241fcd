import { describe, expect, it } from 'vitest';
import { profileFor } from '../../../src/versions/index.ts';
import { printPort, printSubset } from './print.ts';

const web = { name: 'web', port: 8080, protocol: 'TCP', appProtocol: 'https' };
const unnamedPort = { port: 9090, protocol: 'UDP' };

describe('printSubset', () => {
  const subset = {
    addresses: [
      { ip: '10.0.0.1', hostname: 'h', nodeName: 'n1', targetRef: { kind: 'Pod', namespace: 'ns', name: 'p', uid: 'u1' } },
      { ip: '10.0.0.2' },
    ],
    ports: [web, unnamedPort],
  };

  it('prints the text that 1.36.3 hashes', () => {
    expect(printSubset(subset, profileFor('1.36'))).toBe(
      '(v1.EndpointSubset){Addresses:([]v1.EndpointAddress)[{IP:(string)10.0.0.1 Hostname:(string)h NodeName:(*string)n1 TargetRef:(*v1.ObjectReference){Kind:(string)Pod Namespace:(string)ns Name:(string)p UID:(types.UID)u1 APIVersion:(string) ResourceVersion:(string) FieldPath:(string)}} {IP:(string)10.0.0.2 Hostname:(string) NodeName:(*string)<nil> TargetRef:(*v1.ObjectReference)<nil>}] NotReadyAddresses:([]v1.EndpointAddress)<nil> Ports:([]v1.EndpointPort)[{Name:(string)web Port:(int32)8080 Protocol:(v1.Protocol)TCP AppProtocol:(*string)https} {Name:(string) Port:(int32)9090 Protocol:(v1.Protocol)UDP AppProtocol:(*string)<nil>}]}',
    );
  });

  it('omits AppProtocol before 1.18, and prints every field of a target', () => {
    const targetRef = { kind: 'K', namespace: 'N', name: 'M', uid: 'U', apiVersion: 'A', resourceVersion: 'R', fieldPath: 'F' };
    expect(printSubset({ notReadyAddresses: [{ ip: 'i', nodeName: '', targetRef }], ports: [web] }, profileFor('1.17'))).toBe(
      '(v1.EndpointSubset){Addresses:([]v1.EndpointAddress)<nil> NotReadyAddresses:([]v1.EndpointAddress)[{IP:(string)i Hostname:(string) NodeName:(*string) TargetRef:(*v1.ObjectReference){Kind:(string)K Namespace:(string)N Name:(string)M UID:(types.UID)U APIVersion:(string)A ResourceVersion:(string)R FieldPath:(string)F}}] Ports:([]v1.EndpointPort)[{Name:(string)web Port:(int32)8080 Protocol:(v1.Protocol)TCP}]}',
    );
  });

  it('prints an empty target and absent ports', () => {
    expect(printSubset({ addresses: [{ ip: 'i', targetRef: {} }] }, profileFor())).toBe(
      '(v1.EndpointSubset){Addresses:([]v1.EndpointAddress)[{IP:(string)i Hostname:(string) NodeName:(*string)<nil> TargetRef:(*v1.ObjectReference){Kind:(string) Namespace:(string) Name:(string) UID:(types.UID) APIVersion:(string) ResourceVersion:(string) FieldPath:(string)}}] NotReadyAddresses:([]v1.EndpointAddress)<nil> Ports:([]v1.EndpointPort)<nil>}',
    );
  });
});

describe('printPort', () => {
  it.each([
    ['1.17', web, '(v1.EndpointPort){Name:(string)web Port:(int32)8080 Protocol:(v1.Protocol)TCP}'],
    ['1.18', web, '(v1.EndpointPort){Name:(string)web Port:(int32)8080 Protocol:(v1.Protocol)TCP AppProtocol:(*string)https}'],
    ['1.37', unnamedPort, '(v1.EndpointPort){Name:(string) Port:(int32)9090 Protocol:(v1.Protocol)UDP AppProtocol:(*string)<nil>}'],
    ['1.37', { port: 0, appProtocol: '' }, '(v1.EndpointPort){Name:(string) Port:(int32)0 Protocol:(v1.Protocol) AppProtocol:(*string)}'],
  ])('in %s, prints %j', (version, port, expected) => {
    expect(printPort(port, profileFor(version))).toBe(expected);
  });
});

describe('printSubset prints a target', () => {
  it.each([
    [{ apiVersion: 'A' }, ' APIVersion:(string)A ResourceVersion:(string) FieldPath:(string)}'],
    [{ resourceVersion: 'R' }, ' APIVersion:(string) ResourceVersion:(string)R FieldPath:(string)}'],
    [{ fieldPath: 'F' }, ' APIVersion:(string) ResourceVersion:(string) FieldPath:(string)F}'],
    [{}, ' APIVersion:(string) ResourceVersion:(string) FieldPath:(string)}'],
  ])('prints the target %j with the suffix %s', (targetRef, suffix) => {
    const subset = { addresses: [{ ip: 'i', hostname: 'h', nodeName: 'n', targetRef }] };
    expect(printSubset(subset, profileFor())).toBe(
      `(v1.EndpointSubset){Addresses:([]v1.EndpointAddress)[{IP:(string)i Hostname:(string)h NodeName:(*string)n TargetRef:(*v1.ObjectReference){Kind:(string) Namespace:(string) Name:(string) UID:(types.UID)${suffix}}] NotReadyAddresses:([]v1.EndpointAddress)<nil> Ports:([]v1.EndpointPort)<nil>}`,
    );
  });
});
