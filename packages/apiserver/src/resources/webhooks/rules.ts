import { asJson, type Causes } from '../field/causes.ts';
import { type Fields, has, text, texts } from '../field/read.ts';

const operations: readonly string[] = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const scopes: readonly string[] = ['*', 'Cluster', 'Namespaced'];

/** Mirrors validateRuleWithOperations (pkg/apis/admissionregistration/validation, 1.36). */
export function validateRule(rule: Fields, field: string, causes: Causes): void {
  const wanted = texts(rule, 'operations');
  validateWildcard(wanted, 'operations', `${field}.operations`, causes);
  for (const [i, operation] of wanted.entries()) {
    if (!operations.includes(operation)) causes.notSupported(`${field}.operations[${i}]`, asJson(operation), operations);
  }
  validateWildcard(texts(rule, 'apiGroups'), 'API groups', `${field}.apiGroups`, causes);
  const versions = texts(rule, 'apiVersions');
  validateWildcard(versions, 'API versions', `${field}.apiVersions`, causes);
  for (const [i, version] of versions.entries()) if (version === '') causes.required(`${field}.apiVersions[${i}]`);
  validateResources(texts(rule, 'resources'), `${field}.resources`, causes);
  if (has(rule, 'scope') && !scopes.includes(text(rule, 'scope')))
    causes.notSupported(`${field}.scope`, asJson(text(rule, 'scope')), scopes);
}

function validateWildcard(values: readonly string[], what: string, field: string, causes: Causes): void {
  if (values.length === 0) causes.required(field);
  if (values.length > 1 && values.includes('*')) causes.invalid(field, values, `if '*' is present, must not specify other ${what}`);
}

/** Mirrors validateResources: a wildcard makes what it stands for superfluous. */
function validateResources(resources: readonly string[], field: string, causes: Causes): void {
  if (resources.length === 0) causes.required(field);
  const wholeResources = new Set<string>();
  const wholeSubresources = new Set<string>();
  let plain = false;
  for (const [i, each] of resources.entries()) {
    if (each === '') {
      causes.required(`${field}[${i}]`);
      continue;
    }
    const slash = each.indexOf('/');
    if (slash < 0) {
      plain = each !== '*';
      continue;
    }
    const [resource, sub] = [each.slice(0, slash), each.slice(slash + 1)];
    if (wholeResources.has(resource)) causes.invalid(`${field}[${i}]`, each, `if '${resource}/*' is present, must not specify ${each}`);
    if (wholeSubresources.has(sub)) causes.invalid(`${field}[${i}]`, each, `if '*/${sub}' is present, must not specify ${each}`);
    if (sub === '*') wholeResources.add(resource);
    if (resource === '*') wholeSubresources.add(sub);
  }
  if (resources.length > 1 && resources.includes('*/*')) {
    causes.invalid(field, resources, "if '*/*' is present, must not specify other resources");
  }
  if (resources.includes('*') && plain) {
    causes.invalid(field, resources, "if '*' is present, must not specify other resources without subresources");
  }
}
