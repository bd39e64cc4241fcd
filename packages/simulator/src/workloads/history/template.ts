type Fields = Readonly<Record<string, unknown>>;

/**
 * A pod template as its Go type prints it, for hashes and comparisons of revisions: without null (releases before 1.34 printed
 * "creationTimestamp": null), and with the structs that Go prints even if they are empty. Lists and maps that are empty must be absent, as
 * in objects of the API server.
 */
export function printTemplate<T extends object>(template: T): T {
  const { metadata = {}, spec = {}, ...others } = dropNulls(template) as Fields & { metadata?: Fields; spec?: Fields };
  return { ...others, metadata, spec: printPodSpec(spec) } as unknown as T;
}

/**
 * The data of a revision: a strategic merge patch that restores a template. Mirrors getPatch (1.36, pkg/controller/statefulset and
 * pkg/controller/daemon).
 */
export const createTemplatePatch = (template: object): unknown => ({
  spec: { template: { ...printTemplate(template), $patch: 'replace' } },
});

function printPodSpec(spec: Fields): Fields {
  const printed: Record<string, unknown> = { ...spec };
  for (const field of ['containers', 'initContainers']) {
    const containers = spec[field] as readonly Fields[] | undefined;
    if (containers) printed[field] = containers.map((container) => ({ ...container, resources: container['resources'] ?? {} }));
  }
  const volumes = spec['volumes'] as readonly Fields[] | undefined;
  if (volumes) printed['volumes'] = volumes.map(printVolume);
  return printed;
}

/** A volume; the claim template of an ephemeral one has structs that are printed even if they are empty. */
function printVolume(volume: Fields): Fields {
  const ephemeral = volume['ephemeral'] as { readonly volumeClaimTemplate?: Fields } | undefined;
  const template = ephemeral?.volumeClaimTemplate;
  if (!template) return volume;
  const spec = template['spec'] as Fields | undefined;
  const printed = { ...template, metadata: template['metadata'] ?? {}, spec: { ...spec, resources: spec?.['resources'] ?? {} } };
  return { ...volume, ephemeral: { ...ephemeral, volumeClaimTemplate: printed } };
}

function dropNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropNulls);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== null && field !== undefined);
  return Object.fromEntries(fields.map(([key, field]) => [key, dropNulls(field)]));
}
