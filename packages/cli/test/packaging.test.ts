import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { root } from '../../../test/support/repository.ts';

const readText = (path: string): string => readFileSync(join(root, path), 'utf8');
const manifest = JSON.parse(readText('packages/cli/package.json')) as { version: string; name: string; bin: Record<string, string> };
const program = join('node_modules', manifest.name, manifest.bin['kubectl-endpoints'] ?? '');

interface KrewPlatform {
  readonly selector: unknown;
  readonly uri: string;
  readonly sha256: string;
  readonly bin: string;
}

interface KrewManifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: { readonly version: string; readonly platforms: readonly KrewPlatform[] } & Readonly<Record<string, unknown>>;
}

describe('the krew manifest', () => {
  const plugin = parse(readText('packages/cli/krew.yaml')) as KrewManifest;
  const { spec } = plugin;

  test('is of the version of the package', () => {
    expect(spec.version).toBe(`v${manifest.version}`);
    expect(spec.platforms.map(({ uri }) => uri.includes(`/v${manifest.version}/`))).not.toContain(false);
  });

  test('has the fields that krew requires, and no others', () => {
    expect(plugin).toMatchObject({
      apiVersion: 'krew.googlecontainertools.github.com/v1alpha2',
      kind: 'Plugin',
      metadata: { name: Object.keys(manifest.bin)[0]?.replace('kubectl-', '') },
    });
    expect(Object.keys(plugin)).toEqual(['apiVersion', 'kind', 'metadata', 'spec']);
    const fields = ['caveats', 'description', 'homepage', 'platforms', 'shortDescription', 'version'];
    expect(Object.keys(spec).toSorted()).toEqual(fields);
    expect(String(spec['shortDescription']).length).toBeLessThanOrEqual(50);
    expect(String(spec['shortDescription'])).not.toMatch(/\.$|kubectl|plugin/i);
  });

  test('has an archive and the program in it for each platform', () => {
    for (const platform of spec.platforms) {
      expect(Object.keys(platform).toSorted()).toEqual(['bin', 'selector', 'sha256', 'uri']);
      expect(platform.uri).toMatch(/^https:\/\/.*\.(tar\.gz|zip)$/);
      expect(platform.sha256).toMatch(/^[0-9a-f]{64}$/);
      expect(platform.bin).toBe(program);
      expect(platform.selector).toEqual({ matchExpressions: [{ key: 'os', operator: 'In', values: ['darwin', 'linux'] }] });
    }
    expect(spec.platforms.length).toBeGreaterThan(0);
  });
});

describe('the Dockerfile', () => {
  const instructions = readText('Dockerfile')
    .split('\n')
    .filter((line) => /^[A-Z]/.test(line));
  const valuesOf = (name: string): string[] =>
    instructions.flatMap((line) => (line.startsWith(`${name} `) ? [line.slice(name.length + 1)] : []));

  test('has two stages of the base image of an argument, which names no host', () => {
    expect(valuesOf('FROM').map((value) => value.replace('$', ''))).toEqual(['{BASE_IMAGE} AS build', '{BASE_IMAGE}']);
    const [, image = ''] = valuesOf('ARG')[0]?.split('=') ?? [];
    expect(image).toMatch(/^[a-z]+:[\w.-]+$/);
    expect(readText('Dockerfile')).not.toMatch(/[a-z]\.(io|com|dev|net|org)\b/);
  });

  test('starts the program of the package as the user of the Deployment', () => {
    const [pod] = parseAllDocuments(readText('docs/deploy/deployment.yaml')).map((document) => document.toJS().spec?.template?.spec);
    expect(valuesOf('USER')).toEqual([`${pod.securityContext.runAsUser}:${pod.securityContext.runAsGroup}`]);
    expect(JSON.parse(valuesOf('ENTRYPOINT')[0] ?? '')).toEqual(['node', join('/app', program)]);
    expect(instructions.findLastIndex((line) => line.startsWith('RUN'))).toBeLessThan(
      instructions.findIndex((line) => line.startsWith('USER')),
    );
  });

  test('copies neither installed packages nor build output of the host', () => {
    expect(readText('.dockerignore').split('\n')).toEqual(expect.arrayContaining(['.git', '**/node_modules', '**/dist']));
  });
});

describe('the kustomization of docs/deploy', () => {
  const { resources, images } = parse(readText('docs/deploy/kustomization.yaml')) as { resources: string[]; images: { name: string }[] };

  test('lists existing manifests, in the order of their installation', () => {
    expect(resources.filter((path) => !existsSync(join(root, 'docs/deploy', path)))).toEqual([]);
    expect(resources).toEqual(['rbac.yaml', 'deployment.yaml']);
  });

  test('has or explains every manifest of its folder', () => {
    const text = readText('docs/deploy/kustomization.yaml');
    const others = readdirSync(join(root, 'docs/deploy')).filter((file) => file !== 'kustomization.yaml' && !text.includes(file));
    expect(others).toEqual([]);
  });

  test('names the image of the Deployment', () => {
    expect(readText('docs/deploy/deployment.yaml')).toContain(`image: ${images[0]?.name}:`);
  });
});
