import { expect, it } from 'vitest';
import { resources } from '../../../src/port/index.ts';
import { statusOfLate } from '../store/support.ts';
import { at, createWorld, object } from './support.ts';

it('binds pods', async () => {
  const { port } = await createWorld();
  await port.create(resources.pods, object('p', { spec: {} }));
  await port.create(resources.pods, object('p', { target: { name: 'n' } }), { subresource: 'binding' });
  expect(await port.get(resources.pods, at('p'))).toMatchObject({ spec: { nodeName: 'n' } });
});

it('creates the subresource of nothing else', async () => {
  const { port } = await createWorld();
  expect(await statusOfLate(port.create(resources.services, object('p'), { subresource: 'binding' }))).toMatchObject({ code: 404 });
});

it('answers with what nobody can change', async () => {
  const { port } = await createWorld();
  const created = await port.create(resources.pods, object('p', { spec: { a: [1] } }));
  expect(() => (created['spec'] as { a: number[] }).a.push(2)).toThrow(TypeError);
});

it('needs a name to write to, and resources that are served', async () => {
  const { port } = await createWorld();
  expect(await statusOfLate(port.update(resources.pods, { metadata: {} }))).toMatchObject({ code: 400, message: 'name must be provided' });
  expect(await statusOfLate(port.list(resources.leases))).toMatchObject({ code: 404 });
  expect(() => port.watch(resources.leases)).toThrow('the server could not find the requested resource');
});
