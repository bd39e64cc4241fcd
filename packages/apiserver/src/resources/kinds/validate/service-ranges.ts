import { parseCIDRSloppy } from 'kube-endpoints/internal/apimachinery';
import { encode } from '../../../api-types/codec/printer.ts';
import { structType } from '../../../api-types/index.ts';
import { dns1123Subdomain, pathSegment } from '../../../formats/names.ts';
import { validateStrictCIDR } from '../../field/addresses.ts';
import { type Causes, validateFormat } from '../../field/causes.ts';
import { child, type Fields, has, text, texts } from '../../field/read.ts';
import { immutableMessage } from '../../metadata/validate.ts';
import { validateImmutable } from './rules.ts';

/** Mirrors ValidateIPAddress (pkg/apis/networking/validation, 1.36), besides the name. */
export function validateIPAddress(object: Fields, causes: Causes): void {
  const field = 'spec.parentRef';
  if (!has(child(object, 'spec'), 'parentRef')) {
    causes.required(field);
    return;
  }
  const parent = child(child(object, 'spec'), 'parentRef');
  if (text(parent, 'group') !== '') validateFormat(text(parent, 'group'), dns1123Subdomain, `${field}.group`, causes);
  for (const name of ['resource', 'name']) {
    if (text(parent, name) === '') causes.required(`${field}.${name}`);
    else validateFormat(text(parent, name), pathSegment, `${field}.${name}`, causes);
  }
  if (text(parent, 'namespace') !== '') validateFormat(text(parent, 'namespace'), pathSegment, `${field}.namespace`, causes);
}

export function validateIPAddressUpdate(object: Fields, old: Fields, causes: Causes): void {
  const [parent, oldParent] = [object, old].map((each) => child(each, 'spec')['parentRef']);
  const printed = parent === undefined ? null : encode(structType('networking.ParentReference'), parent as Fields);
  validateImmutable(parent, oldParent, 'spec.parentRef', causes, printed);
}

/** Mirrors ValidateServiceCIDR (pkg/apis/networking/validation, 1.36), besides the name. */
export function validateServiceCIDR(object: Fields, causes: Causes): void {
  const cidrs = texts(child(object, 'spec'), 'cidrs');
  const field = 'spec.cidrs';
  if (cidrs.length === 0) {
    causes.required(field, 'at least one CIDR required');
    return;
  }
  if (cidrs.length > 2) {
    // As upstream, the value is that of the spec in the internal version.
    causes.invalid(field, { CIDRs: cidrs }, 'may only hold up to 2 values');
    return;
  }
  for (const [i, cidr] of cidrs.entries()) validateStrictCIDR(cidr, `${field}[${i}]`, causes);
  const families = cidrs.map((cidr) => parseCIDRSloppy(cidr)?.family);
  if (families.length === 2 && families[0] !== undefined && families[0] === families[1]) {
    causes.invalid(field, cidrs, 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64');
  }
}

/** Mirrors ValidateServiceCIDRUpdate (pkg/apis/networking/validation, 1.36): only a second range may be added. */
export function validateServiceCIDRUpdate(object: Fields, old: Fields, causes: Causes): void {
  const [cidrs, oldCIDRs] = [texts(child(object, 'spec'), 'cidrs'), texts(child(old, 'spec'), 'cidrs')];
  const isExtended = oldCIDRs.length === 1 && cidrs.length === 2;
  if (cidrs.length !== oldCIDRs.length && !isExtended) {
    causes.invalid('spec.cidrs', cidrs, immutableMessage);
    return;
  }
  for (const [i, cidr] of oldCIDRs.entries()) if (cidr !== cidrs[i]) causes.invalid(`spec.cidrs[${i}]`, cidrs[i], immutableMessage);
  if (isExtended) validateServiceCIDR(object, causes);
}
