import { resources } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { type ApiServerOptions, createApiServer } from '../src/index.ts';

test.each<[ApiServerOptions, string]>([
  [{ serviceClusterIPRanges: [] }, 'serviceClusterIPRanges is []: give one range, or one IPv4 and one IPv6 range'],
  [
    { serviceClusterIPRanges: ['10.0.0.0/16', '10.1.0.0/16'] },
    'serviceClusterIPRanges is ["10.0.0.0/16","10.1.0.0/16"]: give one range, or one IPv4 and one IPv6 range',
  ],
  [{ serviceClusterIPRanges: ['10.0.0.0'] }, 'serviceClusterIPRanges: invalid CIDR address: 10.0.0.0'],
  [{ serviceNodePortRange: '5-1' }, 'serviceNodePortRange: end port cannot be less than start port: 5-1'],
])('createApiServer refuses %j and names the option', async (options, message) => {
  await expect(createApiServer(options)).rejects.toThrow(new RangeError(message));
});

test('Services get addresses and node ports from the configured ranges', async () => {
  await using server = await createApiServer({
    serviceClusterIPRanges: ['fd00:1::/112', '10.7.0.0/16'],
    serviceNodePortRange: '40000-40099',
  });
  const { spec } = await server.client.create(resources.services, {
    metadata: { namespace: 'default', name: 'web' },
    spec: { type: 'NodePort', ipFamilyPolicy: 'RequireDualStack', ports: [{ port: 80 }] },
  });
  expect(spec).toMatchObject({
    ipFamilies: ['IPv6', 'IPv4'],
    clusterIPs: [expect.stringMatching(/^fd00:1::/), expect.stringMatching(/^10\.7\./)],
    ports: [{ nodePort: expect.toSatisfy((port: number) => port >= 40_000 && port <= 40_099) }],
  });
});

test('a cluster IP outside all ranges is refused with the message of kube-apiserver with ServiceCIDRs', async () => {
  await using server = await createApiServer();
  const service = { metadata: { namespace: 'default', name: 'web' }, spec: { clusterIP: '10.200.0.1', ports: [{ port: 80 }] } };
  await expect(server.client.create(resources.services, service)).rejects.toThrow(
    'spec.clusterIPs: Invalid value: ["10.200.0.1"]: failed to allocate IP 10.200.0.1: the provided network does not match the current range',
  );
});
