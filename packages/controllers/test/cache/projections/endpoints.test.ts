import { describe, expect, it } from 'vitest';
import { projectEndpoints } from '../../../src/cache/projections/endpoints.ts';
import { metadata, sentBack, served, target } from './objects.ts';

describe('the projection of Endpoints', () => {
  it('keeps all that an update has to send back', () => {
    const subsets = [
      {
        addresses: [{ ip: '10.0.0.1', nodeName: 'n1', targetRef: target }],
        notReadyAddresses: [
          { ip: '10.0.0.2', hostname: 'h', targetRef: { ...target, apiVersion: 'v1', resourceVersion: '3', fieldPath: 'f' } },
          { ip: '10.0.0.3' },
        ],
        ports: [{ name: 'http', port: 80, protocol: 'TCP', appProtocol: 'h2' }],
      },
    ];
    expect(projectEndpoints({ metadata: served, subsets })).toEqual({ metadata: sentBack, subsets });
  });

  it('drops what is empty', () => {
    expect(projectEndpoints({ metadata, subsets: [] })).toEqual({ metadata });
    expect(projectEndpoints({ metadata, subsets: [{ addresses: [], notReadyAddresses: null, ports: [] }] })).toEqual({
      metadata,
      subsets: [{}],
    });
  });
});
