import { describe, expect, it } from 'vitest';
import { projectEndpoints, projectSlice } from '../../../src/cache/projections/endpoints.ts';
import { metadata, podReference, serverMetadata, writableFields } from './objects.ts';

describe('the projection of Endpoints', () => {
  it('keeps every field that an update sends back', () => {
    const subsets = [
      {
        addresses: [{ ip: '10.0.0.1', nodeName: 'n1', targetRef: podReference }],
        notReadyAddresses: [
          { ip: '10.0.0.2', hostname: 'h', targetRef: { ...podReference, apiVersion: 'v1', resourceVersion: '3', fieldPath: 'f' } },
          { ip: '10.0.0.3' },
        ],
        ports: [{ name: 'http', port: 80, protocol: 'TCP', appProtocol: 'h2' }],
      },
    ];
    expect(projectEndpoints({ metadata: serverMetadata, subsets })).toEqual({ metadata: writableFields, subsets });
  });

  it('drops empty fields', () => {
    expect(projectEndpoints({ metadata, subsets: [] })).toEqual({ metadata });
    expect(projectEndpoints({ metadata, subsets: [{ addresses: [], notReadyAddresses: null, ports: [] }] })).toEqual({
      metadata,
      subsets: [{}],
    });
  });
});

describe('the projection of a slice', () => {
  it('keeps every field that an update sends back', () => {
    const content = {
      addressType: 'IPv4',
      endpoints: [
        {
          addresses: ['10.0.0.1'],
          conditions: { ready: true, serving: true, terminating: false },
          targetRef: podReference,
          nodeName: 'n1',
          zone: 'z',
        },
        {
          addresses: ['10.0.0.2', '10.0.0.3'],
          conditions: {},
          hostname: 'h',
          hints: { forZones: [{ name: 'z' }] },
          deprecatedTopology: { a: 'b' },
        },
      ],
      ports: [{ name: 'http', port: 80, protocol: 'TCP' }],
    };
    expect(projectSlice({ metadata: serverMetadata, ...content })).toEqual({ metadata: writableFields, ...content });
  });

  it('turns null into empty lists', () => {
    const raw = { metadata, addressType: 'IPv4', endpoints: null, ports: null };
    expect(projectSlice(raw)).toEqual({ metadata, addressType: 'IPv4', endpoints: [], ports: [] });
  });
});
