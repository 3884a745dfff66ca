/** A slow machine takes a minute for what a quiet one does in 20 s. */
const TEST_MS = 180_000;
/** Races that are run often take their time. */
const ROUND_MS = 4_000;
const ROUNDS = Number(process.env.RACE_ROUNDS ?? 50);

/** Tests run on the build: no transform, so what is tested is what is shipped. */
export default {
  rootDir: 'dist',
  testEnvironment: 'node',
  testMatch: ['**/*spec.js'],
  testTimeout: Math.max(TEST_MS, ROUNDS * ROUND_MS),
  transform: {},
  setupFiles: ['@nestjs/common', '@nestjs/core'],
  coverageProvider: 'v8',
  // Of its heap, after a file: with embedded databases beside it a worker stays below 1.5 GB.
  workerIdleMemoryLimit: '400MB',
  // A driver that still waits for a lost server must not hold the run up.
  forceExit: true,
};
