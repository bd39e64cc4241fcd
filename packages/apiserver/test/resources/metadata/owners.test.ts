import { expect, test } from 'vitest';
import { dropDuplicateOwners } from '../../../src/resources/metadata/owners.ts';

test('dropDuplicateOwners removes equal owners with a warning, and keeps different owners with the same UID', () => {
  const draft = {
    metadata: {
      ownerReferences: [
        { uid: 'a', name: 'x' },
        { uid: 'a', name: 'y' },
        { name: 'x', uid: 'a' },
      ],
    },
  };
  expect(dropDuplicateOwners(draft)).toEqual([expect.stringMatching(/duplicate UID\(s\) observed: a$/)]);
  expect(draft.metadata.ownerReferences).toHaveLength(2);
  expect(dropDuplicateOwners(draft)).toEqual([]);
});
