import type { ApiObject, Resource } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { createFieldManagers } from '../../src/registry/field-managers.ts';
import { idOf } from '../../src/registry/identity.ts';
import { plainStrategy } from '../../src/registry/plain.ts';
import type { ResourceStrategy } from '../../src/registry/strategy.ts';

const crates: Resource = { group: 'shop.io', version: 'v1', plural: 'crates', kind: 'Crate', namespaced: true };
const strategy = plainStrategy({ resource: crates, status: true });
const newer: ResourceStrategy = {
  ...plainStrategy({ resource: { ...crates, version: 'v2' } }),
  storedAs: {
    resource: crates,
    toStored: ({ volume, ...rest }) => ({ ...rest, size: volume }) as ApiObject,
    fromStored: ({ size, ...rest }) => ({ ...rest, volume: size }) as ApiObject,
  },
};
const managers = createFieldManagers(new Map([strategy, newer].map((each) => [idOf(each.resource), each])));
const crate = { apiVersion: 'shop.io/v1', kind: 'Crate', metadata: { name: 'a' }, size: 1, status: { open: true } };
const write = (manager: string) => ({ manager, now: '2026-01-02T03:04:05Z' });

describe('createFieldManagers', () => {
  it('makes each of them once', () => {
    expect(managers.managerFor(strategy, undefined)).toBe(managers.managerFor(strategy, undefined));
    expect(managers.managerFor(strategy, 'status')).not.toBe(managers.managerFor(strategy, undefined));
  });

  it('leaves out what a write cannot change', () => {
    const [main] = managers.managerFor(strategy, undefined).managedFieldsOf(undefined, crate, write('one')) ?? [];
    expect(main).toMatchObject({ manager: 'one', apiVersion: 'shop.io/v1', fieldsV1: { 'f:size': {} } });
    const ofStatus = managers.managerFor({ ...strategy, resetFields: { status: ['size'] } }, 'status');
    const [entry] = ofStatus.managedFieldsOf(undefined, crate, write('one')) ?? [];
    expect(entry).toMatchObject({ subresource: 'status', fieldsV1: { 'f:status': { '.': {}, 'f:open': {} } } });
  });

  it('follows a field from one version to the other', () => {
    const managedFields = managers.managerFor(strategy, undefined).managedFieldsOf(undefined, crate, write('one'));
    const live = { apiVersion: 'shop.io/v2', kind: 'Crate', metadata: { name: 'a', uid: 'u', managedFields }, volume: 1 };
    const entries = managers.managerFor(newer, undefined).managedFieldsOf(live, { ...live, volume: 2 }, write('two'));
    expect(entries).toMatchObject([{ manager: 'two', apiVersion: 'shop.io/v2', fieldsV1: { 'f:volume': {} } }]);
  });

  it('starts server-side apply from what the strategy calls empty', () => {
    const odd = { ...strategy, empty: { apiVersion: 'shop.io/v1', kind: 'Crate', metadata: {}, size: 0 } };
    const config = { apiVersion: 'shop.io/v1', kind: 'Crate', metadata: { name: 'a' } };
    expect(managers.managerFor(odd, undefined).apply(undefined, config, write('one'))).toMatchObject({ size: 0 });
  });
});
