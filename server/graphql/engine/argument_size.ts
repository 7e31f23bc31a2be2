import {
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  type GraphQLInputField,
  type GraphQLInputType,
} from "postgraphile/graphql";
import { Refusal } from "./refusal.ts";
import * as limits from "./limits.ts";
import { isRelationCondition, valueLists } from "../hasura/where_conditions.ts";

/**
 * Adds up the coerced arguments of one request, so that literals, variables and defaults count alike and each use
 * counts. PostgreSQL plans a query in time and memory that grow with its conditions, faster than linearly where they
 * lead through relations, and no time-out interrupts the planner.
 */
export class ArgumentSize {
  nodes = 0;
  characters = 0;
  relationConditions = 0;
  private listValues = 0;

  /**
   * @param value a coerced argument
   * @param type its type in the schema
   * @throws Refusal (limit-exceeded) as soon as the request holds too much
   */
  add(value: unknown, type: GraphQLInputType, relationLevel = 0): void {
    if (value === undefined) return;
    this.countNode();
    if (value === null) return;
    this.countCharacters(value);
    const nullable = getNullableType(type);
    if (isListType(nullable) && Array.isArray(value)) {
      for (const item of value) this.add(item, nullable.ofType, relationLevel);
    } else if (isInputObjectType(nullable)) {
      for (const field of Object.values(nullable.getFields())) {
        const given = (value as Record<string, unknown>)[field.name];
        if (given !== undefined) this.addField(given, field, nullable.name, relationLevel);
      }
    }
  }

  private addField(
    value: unknown,
    { name, type }: GraphQLInputField,
    parent: string,
    relationLevel: number,
  ): void {
    if (Array.isArray(value) && valueLists.has(name)) {
      this.countNode();
      this.listValues += value.length;
      value.forEach((item) => this.countCharacters(item));
      if (this.listValues > limits.maxListValues)
        throw exceeded(`The request holds more than ${limits.maxListValues} values of _in and _nin.`);
    } else if (isRelationCondition(name, getNamedType(type).name, parent)) {
      this.countRelationCondition(relationLevel + 1);
      this.add(value, type, relationLevel + 1);
    } else this.add(value, type, relationLevel);
  }

  private countNode(): void {
    if (++this.nodes > limits.maxArgumentNodes)
      throw exceeded(`The arguments of the request hold more than ${limits.maxArgumentNodes} nodes.`);
  }

  private countCharacters(value: unknown): void {
    if (typeof value !== "string") return;
    this.characters += value.length;
    if (this.characters > limits.maxArgumentCharacters)
      throw exceeded(
        `The arguments of the request hold more than ${limits.maxArgumentCharacters} characters.`,
      );
  }

  private countRelationCondition(level: number): void {
    if (level > limits.maxRelationLevels)
      throw exceeded(`where: conditions nest more than ${limits.maxRelationLevels} relations.`);
    if (++this.relationConditions > limits.maxRelationConditions)
      throw exceeded(
        `where: the request holds more than ${limits.maxRelationConditions} conditions through relations.`,
      );
  }
}

const exceeded = (message: string): Refusal => new Refusal("limit-exceeded", message);
