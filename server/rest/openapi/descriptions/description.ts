/** By method and path. */
export type Descriptions = Record<string, { summary: string; description: string }>;
