import {
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  type GraphQLInputField,
  type GraphQLInputType,
} from "postgraphile/graphql";
import { limitExceeded } from "../../refusal.ts";
import * as limits from "../../request_limits.ts";
import { listOperators, patternOperators } from "../../hasura/operators.ts";
import { isRelationCondition } from "../../hasura/where.ts";

/**
 * Adds up the coerced arguments of one request: literals, variables and defaults count alike, and each use counts.
 * PostgreSQL's planner needs time and memory that grow with the conditions, exponentially with those through relations,
 * and no statement time-out interrupts it.
 */
export class ArgumentSize {
  nodes = 0;
  characters = 0;
  relationConditions = 0;
  /** Regular expressions, and patterns of `_similar`. */
  patterns = 0;
  private listValues = 0;

  /**
   * @param value a coerced argument
   * @param type its type in the schema
   * @param relationLevel how many relations of a `where` enclose the value
   * @throws Refusal (limit-exceeded) as soon as the sum exceeds a limit
   */
  add(value: unknown, type: GraphQLInputType, relationLevel = 0): void {
    if (value === undefined) return;
    this.countNode();
    if (value === null) return;
    const nullable = getNullableType(type);
    if (isListType(nullable) && Array.isArray(value)) {
      for (const item of value) this.add(item, nullable.ofType, relationLevel);
    } else if (isInputObjectType(nullable)) {
      for (const field of Object.values(nullable.getFields())) {
        const fieldValue = (value as Record<string, unknown>)[field.name];
        if (fieldValue !== undefined) this.addField(fieldValue, field, nullable.name, relationLevel);
      }
    } else this.countCharacters(value);
  }

  private addField(value: unknown, { name, type }: GraphQLInputField, parentType: string, relationLevel: number): void {
    if (Array.isArray(value) && listOperators.has(name)) {
      this.countNode();
      // A column of arrays has lists in its list.
      this.listValues += Math.max(value.length, value.flat().length);
      value.forEach((item) => this.countCharacters(item));
      if (this.listValues > limits.maxListValues)
        throw limitExceeded(
          "maxListValues",
          `The request holds more than ${limits.maxListValues} values of _in and _nin.`,
        );
    } else if (isRelationCondition(name, getNamedType(type).name, parentType)) {
      this.countRelationCondition(relationLevel + 1);
      this.add(value, type, relationLevel + 1);
    } else {
      if (patternOperators.has(name)) this.patterns++;
      this.add(value, type, relationLevel);
    }
  }

  private countNode(): void {
    if (++this.nodes > limits.maxArgumentNodes)
      throw limitExceeded(
        "maxArgumentNodes",
        `The arguments of the request hold more than ${limits.maxArgumentNodes} nodes.`,
      );
  }

  private countCharacters(value: unknown): void {
    // A value of json and jsonb may be an object, however long.
    if (typeof value === "string") this.characters += value.length;
    else if (typeof value === "object") this.characters += JSON.stringify(value).length;
    if (this.characters > limits.maxArgumentCharacters)
      throw limitExceeded(
        "maxArgumentCharacters",
        `The arguments of the request hold more than ${limits.maxArgumentCharacters} characters.`,
      );
  }

  private countRelationCondition(level: number): void {
    if (level > limits.maxRelationLevels)
      throw limitExceeded(
        "maxRelationLevels",
        `where and order_by nest more than ${limits.maxRelationLevels} relations.`,
      );
    if (++this.relationConditions > limits.maxRelationConditions)
      throw limitExceeded(
        "maxRelationConditions",
        `The request holds more than ${limits.maxRelationConditions} conditions and orders through relations.`,
      );
  }
}
