export * from './baseline.js';
