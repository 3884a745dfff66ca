import type { OpenAPIObject, OperationObject, ParameterObject } from '@nestjs/swagger';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';

type Node = Record<string, unknown>;

/** Every object in a value, with the value itself. */
export function* objectsIn(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Node;
  for (const part of Object.values(value)) yield* objectsIn(part);
}

/** The schemas of a document, without the examples beside them. */
export const schemasOf = (document: OpenAPIObject): Node =>
  document.components!.schemas as unknown as Node;

export const operationsOf = (document: OpenAPIObject): OperationObject[] =>
  Object.values(document.paths).flatMap((item) => Object.values(item) as OperationObject[]);

/** What a reference of the document names. */
export const named = ($ref: string, document: OpenAPIObject): Node =>
  $ref
    .split('/')
    .slice(1)
    .reduce<unknown>((parent, name) => (parent as Node)[name], document) as Node;

export const parametersOf = (
  operation: OperationObject,
  document: OpenAPIObject,
): ParameterObject[] =>
  (operation.parameters as { $ref: string }[]).map(
    ({ $ref }) => named($ref, document) as unknown as ParameterObject,
  );

/**
 * Checks values by a document in which no object may have a member that it does not tell of.
 * @returns what is wrong, or null
 */
export function strictChecks(document: OpenAPIObject): (schema: string, value: unknown) => unknown {
  const sealed = structuredClone(document);
  for (const node of objectsIn(schemasOf(sealed))) {
    if (typeof node['properties'] === 'object') node['additionalProperties'] ??= false;
  }
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(sealed, 'document');
  return (schema, value) => {
    const check = ajv.getSchema(`document${schema}`)!;
    return check(value) ? null : check.errors;
  };
}

/** The schema of an operation's answer. */
export function answerSchema(document: OpenAPIObject, id: string, status: number): string {
  const operation = operationsOf(document).find(({ operationId }) => operationId === id);
  const response = operation?.responses[status] as
    { content: Record<string, { schema: { $ref: string } }> } | undefined;
  const [media] = Object.values(response?.content ?? {});
  if (!media) throw new Error(`${id} does not answer ${status} in this document`);
  return media.schema.$ref;
}
