import { describe, expect, it } from 'vitest';
import { createPortResolver } from '../../../src/spec/slices/ports.ts';
import type { Pod, Service } from '../../../src/types/index.ts';
import { profileFor } from '../../../src/versions/index.ts';
import { makePod, makeService, profileWith } from '../objects.ts';

const podWith = (port: number | undefined, name = 'http', protocol = 'TCP', field: 'containers' | 'initContainers' = 'containers'): Pod =>
  makePod('a', {
    spec: { [field]: [{ restartPolicy: 'Always', ports: [{ name, containerPort: port, protocol }] }] },
  });
const namedPortService: Service = makeService({ ports: [{ name: 'web', port: 80, protocol: 'TCP', targetPort: 'http' }] });

describe('createPortResolver with numeric target ports', () => {
  it('returns one group for all pods', () => {
    const resolve = createPortResolver(makeService(), profileFor());
    expect(resolve(makePod())).toEqual({ key: expect.any(String), ports: [{ name: 'http', port: 8080, protocol: 'TCP' }] });
    expect(resolve(podWith(9))).toBe(resolve({}));
  });

  it.each<[string, NonNullable<Service['spec']>['ports'], object[]]>([
    ['no ports', [], []],
    ['null ports', null, []],
    ['a port with only a number', [{ port: 80 }], [{ name: '', port: 0, protocol: '' }]],
    [
      'a port with null fields',
      [{ name: null, protocol: null, targetPort: null, appProtocol: null }],
      [{ name: '', port: 0, protocol: '' }],
    ],
    [
      'a port with an appProtocol',
      [{ name: 'a', targetPort: 1, protocol: 'TCP', appProtocol: '' }],
      [{ name: 'a', port: 1, protocol: 'TCP', appProtocol: '' }],
    ],
  ])('resolves the target ports of a Service with %s', (_, ports, expected) => {
    expect(createPortResolver(makeService({ ports }), profileFor())({}).ports).toEqual(expected);
  });

  it('sorts ports by their hashes', () => {
    const ports = ['a', 'b', 'c'].map((name, i) => ({ name, protocol: 'TCP', targetPort: i + 1 }));
    const names = (version: string) => createPortResolver(makeService({ ports }), profileFor(version))({}).ports.map(({ name }) => name);
    expect(names('1.33.1')).toEqual(['b', 'c', 'a']);
    expect(names('1.36.3')).toEqual(['b', 'c', 'a']);
    expect(createPortResolver({}, profileFor())({})).toEqual({ key: '', ports: [] });
  });
});

describe('createPortResolver with a named target port', () => {
  it('returns one group per resolution, created once', () => {
    const resolve = createPortResolver(namedPortService, profileFor());
    const [first, other] = [resolve(podWith(8080)), resolve(podWith(9090))];
    expect(resolve(podWith(8080))).toBe(first);
    expect(first.ports).toEqual([{ name: 'web', port: 8080, protocol: 'TCP' }]);
    expect(other.ports).toEqual([{ name: 'web', port: 9090, protocol: 'TCP' }]);
    expect(other.key).not.toBe(first.key);
  });

  it.each([
    ['no such port', podWith(1, 'grpc')],
    ['a different protocol', podWith(1, 'http', 'UDP')],
    ['no containers', makePod()],
  ])('leaves the port out if the pod has %s', (_, pod) => {
    expect(createPortResolver(namedPortService, profileFor())(pod)).toEqual({ key: '', ports: [] });
  });

  it('keeps the ports that the pod resolves', () => {
    const service = makeService({ ports: [...(namedPortService.spec?.ports ?? []), { name: 'n', protocol: 'TCP', targetPort: 5 }] });
    const resolve = createPortResolver(service, profileFor());
    expect(resolve(makePod()).ports).toEqual([{ name: 'n', port: 5, protocol: 'TCP' }]);
    expect(resolve(podWith(6)).ports.length).toBe(2);
  });

  it.each([true, false])(
    'finds ports of sidecars only if the gate sliceSidecarPortsFound is true, regardless of sidecarPortsFound (%s)',
    (sliceSidecarPortsFound) => {
      const resolve = createPortResolver(
        namedPortService,
        profileWith({ sliceSidecarPortsFound, sidecarPortsFound: !sliceSidecarPortsFound }),
      );
      expect(resolve(podWith(7, 'http', 'TCP', 'initContainers')).ports.length).toBe(sliceSidecarPortsFound ? 1 : 0);
    },
  );
});
