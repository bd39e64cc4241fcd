import { describe, expect, it } from 'vitest';
import type { ProxyService, ServicePortView } from '../../../src/proxy/index.ts';
import { createChainNamer, createPortTraffic, type PortTraffic } from '../../../src/proxy/iptables/traffic.ts';
import { type EndpointSpec, makeNodeView, makeWebService } from './fixtures.ts';

const chains = createChainNamer()('shop/web:http', 'TCP');
const traffic = (spec: NonNullable<ProxyService['spec']>, endpoints: readonly EndpointSpec[]): PortTraffic =>
  createPortTraffic(makeNodeView(makeWebService(spec), endpoints).ports[0] as ServicePortView, chains);
const nodePort = { type: 'NodePort', ports: [{ name: 'http', port: 80, protocol: 'TCP', nodePort: 30080 }] } as const;
const [localEndpoint, remoteEndpoint] = [{ ip: '10.1.0.1', node: 'n1' }, { ip: '10.1.0.2' }] as const;

describe('createPortTraffic', () => {
  it('uses the policy Cluster by default', () => {
    expect(traffic(nodePort, [localEndpoint, remoteEndpoint])).toMatchObject({
      internalChain: chains.cluster,
      externalChain: chains.cluster,
      hasInternalEndpoint: true,
      hasExternalEndpoint: true,
      usesExternalChain: true,
      usesFirewallChain: false,
      local: [],
    });
  });

  it('applies the policy Local to internal and external traffic separately', () => {
    expect(traffic({ ...nodePort, internalTrafficPolicy: 'Local' }, [localEndpoint, remoteEndpoint])).toMatchObject({
      internalChain: chains.local,
      externalChain: chains.cluster,
    });
    expect(traffic({ ...nodePort, externalTrafficPolicy: 'Local' }, [localEndpoint, remoteEndpoint])).toMatchObject({
      internalChain: chains.cluster,
      externalChain: chains.local,
    });
  });

  it('drops traffic if only other nodes have endpoints, and rejects it if there are none', () => {
    const refusals = ({ internalRefusal, externalRefusal }: PortTraffic) => [internalRefusal?.target, externalRefusal?.target];
    expect(refusals(traffic({ ...nodePort, internalTrafficPolicy: 'Local' }, [remoteEndpoint]))).toEqual(['DROP', undefined]);
    expect(refusals(traffic({ ...nodePort, externalTrafficPolicy: 'Local' }, [remoteEndpoint]))).toEqual([undefined, 'DROP']);
    expect(refusals(traffic({ ...nodePort, externalTrafficPolicy: 'Local' }, []))).toEqual(['REJECT', 'REJECT']);
  });
});
