import { describe, expect, test } from 'vitest';
import { createDocuments, toDocumentUrl } from '../../src/openapi/documents.ts';
import { builtInResources, createCatalog } from '../../src/registry/catalog.ts';
import { countReads, createCustomResource, createWidgetResource } from '../discovery/support.ts';

const pathsIn = (text: string): Readonly<Record<string, { readonly serverRelativeURL: string }>> => JSON.parse(text).paths;

describe('index of OpenAPI documents', () => {
  test('contains a URL for each group and version', () => {
    const documents = createDocuments(createCatalog([...builtInResources(), createWidgetResource('v1'), createWidgetResource('v1beta1')]));
    const paths = pathsIn(documents.index().text);
    const groupVersions = builtInResources().map(({ resource: { group, version } }) =>
      group === '' ? 'api/v1' : `apis/${group}/${version}`,
    );
    expect(groupVersions).toContain('apis/apps/v1');
    expect(Object.keys(paths)).toEqual([...new Set([...groupVersions, 'apis/example.com/v1', 'apis/example.com/v1beta1'])].sort());
    expect(paths['api/v1']?.serverRelativeURL).toBe(toDocumentUrl('api/v1', documents.document('api/v1')?.hash ?? ''));
    expect(paths['api/v1']?.serverRelativeURL).toMatch(/^\/openapi\/v3\/api\/v1\?hash=[0-9A-F]{128}$/);
  });

  test('is empty for an empty catalog', () => {
    expect(createDocuments(createCatalog([])).index().text).toBe('{"paths":{}}');
  });
});

describe('hashes of OpenAPI documents', () => {
  test('change only with the published document', () => {
    const catalog = createCatalog([createWidgetResource('v1'), createCustomResource('other.example.com', 'v1', 'bolts', 'Bolt')]);
    const documents = createDocuments(catalog);
    const path = 'apis/example.com/v1';
    const hash = documents.hash(path);
    const otherHash = documents.hash('apis/other.example.com/v1');

    catalog.add(createWidgetResource('v1', { columns: [{ name: 'Size', type: 'integer', format: '', priority: 0 }] }));
    expect(documents.hash(path)).toBe(hash);

    catalog.add(createWidgetResource('v1', { schema: { structural: { type: 'object', description: 'Another widget.' } } }));
    expect(documents.hash(path)).not.toBe(hash);
    expect(documents.document(path)?.hash).toBe(documents.hash(path));
    expect(documents.hash('apis/other.example.com/v1')).toBe(otherHash);

    catalog.add(createWidgetResource('v1', { subresources: [] }));
    expect(documents.document(path)?.text).not.toContain('/scale');
    catalog.add(createWidgetResource('v1'));
    expect(documents.hash(path)).toBe(hash);
  });

  test('change when a resource is added to the group and version', () => {
    const catalog = createCatalog([createWidgetResource('v1')]);
    const documents = createDocuments(catalog);
    const hashBefore = documents.hash('apis/example.com/v1');
    catalog.add(createCustomResource('example.com', 'v1', 'bolts', 'Bolt'));
    expect(documents.hash('apis/example.com/v1')).not.toBe(hashBefore);
    expect(documents.document('apis/example.com/v1')?.text).toContain('com.example.v1.Bolt');
  });

  test('are equal for equal catalogs', () => {
    const [a, b] = [
      createDocuments(createCatalog([createWidgetResource('v1')])),
      createDocuments(createCatalog([createWidgetResource('v1')])),
    ];
    expect(a.index()).toEqual(b.index());
    expect(a.versionTwo().hash).toBe(b.versionTwo().hash);
    expect(a.versionTwo().json()).toBe(b.versionTwo().json());
  });
});

describe('OpenAPI documents', () => {
  test('are cached until their resources change', async () => {
    const catalog = createCatalog([...builtInResources(), createWidgetResource('v1')]);
    const documents = createDocuments(catalog);
    const coreDocument = documents.document('api/v1');
    const [index, versionTwo] = [documents.index(), documents.versionTwo()];
    expect(documents.document('api/v1')).toBe(coreDocument);
    expect(documents.index()).toBe(index);
    expect(documents.versionTwo()).toBe(versionTwo);

    catalog.remove(createWidgetResource('v1').resource);
    expect(documents.document('api/v1')).toBe(coreDocument);
    expect(documents.document('apis/example.com/v1')).toBeUndefined();
    expect(documents.hash('apis/example.com/v1')).toBeUndefined();
    expect(pathsIn(documents.index().text)['apis/example.com/v1']).toBeUndefined();
    expect(documents.versionTwo().json()).not.toContain('com.example');
    expect(documents.versionTwo().hash).not.toBe(versionTwo.hash);
    expect(versionTwo.json()).toBe(versionTwo.json());
    expect(await versionTwo.protobuf()).toBe(await versionTwo.protobuf());
  });

  test('are generated on first use, and the catalog is read once per change', () => {
    const { catalog, readCount } = countReads(createCatalog([createWidgetResource('v1')]));
    const documents = createDocuments(catalog);
    expect(readCount()).toBe(0);
    documents.index();
    documents.document('apis/example.com/v1');
    documents.versionTwo().json();
    documents.hash('apis/example.com/v1');
    expect(readCount()).toBe(1);
  });

  test('are undefined for unknown paths', () => {
    const documents = createDocuments(createCatalog([createWidgetResource('v1')]));
    for (const path of ['apis/example.com', 'apis/example.com/v1/', 'api/v1', '__proto__', 'constructor', '']) {
      expect(documents.document(path)).toBeUndefined();
    }
  });
});
