import { expect, test } from 'vitest';
import { fc } from '../../../../test/support/property.ts';
import { createStore } from '../../src/store/index.ts';
import { pod, pods } from './support.ts';

const key = (name: string) => ({ namespace: 'default', name });

test('every revision that the log reaches can be listed as it was', () => {
  const step = fc.tuple(fc.constantFrom('create', 'update', 'delete'), fc.constantFrom('a', 'b', 'c', 'd'));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const store = createStore();
      const worlds = [{ revision: store.revision, items: store.list(pods).items }];
      for (const [index, [act, name]] of steps.entries()) {
        try {
          if (act === 'create') store.create(pods, key(name), pod(name));
          else if (act === 'delete') store.delete(pods, key(name));
          else store.update(pods, key(name), (current) => ({ ...current, spec: { index } }));
        } catch {
          continue;
        }
        worlds.push({ revision: store.revision, items: store.list(pods).items });
      }
      for (const { revision, items } of worlds) {
        const { items: seen, metadata } = store.list(pods, { resourceVersion: String(revision), resourceVersionMatch: 'Exact' });
        expect(seen).toEqual(items);
        expect(metadata.resourceVersion).toBe(String(revision));
      }
    }),
  );
});
