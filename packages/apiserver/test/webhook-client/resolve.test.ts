import { type ApiObject, type Resource, resources } from 'kube-endpoints/port';
import { beforeEach, describe, expect, it } from 'vitest';
import { createStore, type Store } from '../../src/store/index.ts';
import { resolveInStore } from '../../src/webhook-client/resolve.ts';

const key = { namespace: 'shop', name: 'hook' };
const serviceReference = { ...key, port: 443 };
const firstDraw = { draw: () => 0 };

let store: Store;
beforeEach(() => {
  store = createStore();
});

const createObject = (resource: Resource, name: string, object: object, labels: Readonly<Record<string, string>> = {}): ApiObject =>
  store.create(resource, { namespace: 'shop', name }, { metadata: { name, namespace: 'shop', labels }, ...object });
const createService = (spec: object = {}): ApiObject =>
  createObject(resources.services, 'hook', { spec: { ports: [{ port: 443, name: 'https' }], ...spec } });
const createSlice = (name: string, object: object): ApiObject =>
  createObject(resources.endpointSlices, name, object, { 'kubernetes.io/service-name': 'hook' });
const resolve = (draw = firstDraw): unknown => resolveInStore(store, draw, serviceReference);

describe('resolution by EndpointSlices', () => {
  it('picks an endpoint whose ready condition is true or unset', () => {
    createService();
    createSlice('a', {
      addressType: 'IPv4',
      ports: [
        { name: 'other', port: 1 },
        { name: 'https', port: 8443 },
      ],
      endpoints: [
        { addresses: ['10.0.0.1'], conditions: { ready: false } },
        { addresses: ['10.0.0.2'], conditions: { ready: true } },
        { addresses: ['10.0.0.3'] },
      ],
    });
    expect(resolve()).toEqual({ host: '10.0.0.2', port: 8443 });
    expect(resolve({ draw: () => 1 })).toEqual({ host: '10.0.0.3', port: 8443 });
  });

  it('prefers endpoints of the first IP family of the Service', () => {
    createService({ ipFamilies: ['IPv6', 'IPv4'] });
    createSlice('a', { addressType: 'IPv4', ports: [{ name: 'https', port: 1 }], endpoints: [{ addresses: ['10.0.0.1'] }] });
    createSlice('b', { addressType: 'IPv6', ports: [{ name: 'https', port: 2 }], endpoints: [{ addresses: ['fd00::1'] }] });
    expect(resolve()).toEqual({ host: 'fd00::1', port: 2 });
  });

  it('uses endpoints of another IP family if the first has none', () => {
    createService({ ipFamilies: ['IPv6'] });
    createSlice('a', { addressType: 'IPv4', ports: [{ name: 'https', port: 1 }], endpoints: [{ addresses: ['10.0.0.1'] }] });
    expect(resolve()).toEqual({ host: '10.0.0.1', port: 1 });
  });
});

it('falls back to Endpoints if there are no EndpointSlices', () => {
  createService();
  createObject(resources.endpoints, 'hook', {
    subsets: [
      { addresses: [{ ip: '10.0.0.9' }], ports: [{ name: 'other', port: 1 }] },
      { notReadyAddresses: [{ ip: '10.0.0.8' }], ports: [{ name: 'https', port: 2 }] },
      { addresses: [{ ip: '10.0.0.7' }], ports: [{ name: 'https', port: 3 }] },
    ],
  });
  expect(resolve()).toEqual({ host: '10.0.0.7', port: 3 });
});

it('resolves an ExternalName Service to its name', () => {
  createService({ type: 'ExternalName', externalName: 'localhost', ports: undefined });
  expect(resolve()).toEqual({ host: 'localhost', port: 443 });
});

describe('resolution', () => {
  it('fails if the Service is missing', () => {
    expect(() => resolve()).toThrow('service "hook" not found');
  });

  it('fails if the Service does not have the port', () => {
    createService({ ports: [{ port: 80 }] });
    expect(() => resolve()).toThrow('no service port 443 found for service "hook"');
  });

  it('fails if the port has no endpoints', () => {
    createService();
    expect(() => resolve()).toThrow('no endpoints available for service "hook"');
    createSlice('a', { addressType: 'IPv4', ports: [{ name: 'other', port: 1 }], endpoints: [{ addresses: ['10.0.0.1'] }] });
    expect(() => resolve()).toThrow('no endpoints available for service "hook"');
  });
});
