/** Never the stage of anybody's own pipelines. */
export const STAGE = 'demo';
