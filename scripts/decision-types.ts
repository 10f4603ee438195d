/** The types of the result document in plain TypeScript: those of the published package, which must not ask for zod. */

import { z } from 'zod';
import * as schemas from '../src/decision-schema.ts';

/** What of JSON Schema zod makes of these schemas. */
interface Schema {
  readonly $schema?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

const primitives: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** The type of a schema. Throws for what none of these schemas has. */
function typeOf(schema: Schema, indent: string): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  if (schema.anyOf !== undefined) return schema.anyOf.map((one) => typeOf(one, indent)).join(' | ');
  if (schema.type === undefined) return 'unknown';
  if (typeof schema.type !== 'string') return schema.type.map((type) => typeOf({ type }, indent)).join(' | ');
  if (schema.type === 'array') return `(${typeOf(schema.items ?? {}, indent)})[]`;
  if (schema.type === 'object') {
    const inner = `${indent}  `;
    const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
      const mark = schema.required?.includes(name) === true ? '' : '?';
      const text = field.description === undefined ? '' : `${inner}/** ${field.description} */\n`;
      return `${text}${inner}${name}${mark}: ${typeOf(field, inner)}${mark === '' ? '' : ' | undefined'};\n`;
    });
    return `{\n${fields.join('')}${indent}}`;
  }
  const primitive = primitives[schema.type];
  if (primitive === undefined) throw new Error(`no type for ${JSON.stringify(schema)}`);
  return primitive;
}

const named = {
  Decision: schemas.decisionSchema,
  FollowedResult: schemas.followedSchema,
  HookResult: schemas.hookResultSchema,
  SkippedResult: schemas.skippedSchema,
  WarningResult: schemas.warningSchema,
  ErrorResult: schemas.errorSchema,
};

/** dist/types/decision-schema.d.ts. */
export const typesText = Object.entries(named)
  .map(([name, schema]) => {
    const json = z.toJSONSchema(schema, { io: 'output' }) as Schema;
    return `${json.description === undefined ? '' : `/** ${json.description} */\n`}export type ${name} = ${typeOf(json, '')};\n`;
  })
  .join('\n');
