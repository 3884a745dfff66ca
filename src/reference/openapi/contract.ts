import type { OpenAPIObject } from '@nestjs/swagger';
import { type ApiVersion, isBefore } from '../../common/api-version.js';
import { BROUGHT_BY } from '../../http/operation.decorator.js';

/** A part of the document that can have an introducing version, and nested parts. */
interface Part {
  [BROUGHT_BY]?: ApiVersion;
  properties?: Record<string, Part>;
  required?: string[];
}

const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null;

/** Whether a version has the part; parts without a version are in all. */
export const isIn = (version: ApiVersion, { [BROUGHT_BY]: since = version }: Part): boolean =>
  !isBefore(version, since);

/** Removes fields of later versions from all schemas, and the version markers. */
export function dropLater(version: ApiVersion, value: unknown): void {
  if (!isPart(value)) return;
  delete value[BROUGHT_BY];
  const { properties = {}, required } = value;
  const later = Object.keys(properties).filter((name) => !isIn(version, properties[name]!));
  for (const name of later) delete properties[name];
  if (required && later.length > 0) {
    value.required = required.filter((name) => !later.includes(name));
  }
  for (const part of Object.values(value)) dropLater(version, part);
}

const REFERENCE = /"#\/components\/(\w+)\/([^"]+)"/g;

/** Removes components that are no longer referenced. */
export function dropUnused({ components = {}, paths, webhooks }: OpenAPIObject): void {
  const sections = components as Record<string, Record<string, unknown>>;
  const used = new Set<string>();
  const follow = (value: unknown): void => {
    for (const [, section, name] of JSON.stringify(value).matchAll(REFERENCE)) {
      const place = `${section}/${name}`;
      if (used.has(place)) continue;
      used.add(place);
      follow(sections[section!]![name!]);
    }
  };
  follow([paths, webhooks]);
  for (const section of ['schemas', 'parameters', 'headers']) {
    for (const name of Object.keys(sections[section] ?? {})) {
      if (!used.has(`${section}/${name}`)) delete sections[section]![name];
    }
  }
}
