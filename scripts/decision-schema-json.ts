import { z } from 'zod';
import { decisionSchema } from '../src/decision-schema.ts';

const schema = { title: 'hookrun decision', ...z.toJSONSchema(decisionSchema, { io: 'output' }) };

/** The published JSON Schema of the result document. */
export const schemaText = `${JSON.stringify(schema, undefined, 2)}\n`;

export { typesText } from './decision-types.ts';
