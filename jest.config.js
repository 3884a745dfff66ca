/** Tests run on the build: no transform, so what is tested is what is shipped. */
export default {
  rootDir: 'dist',
  testEnvironment: 'node',
  testMatch: ['**/*spec.js'],
  testTimeout: 60_000,
  transform: {},
  setupFiles: ['@nestjs/common', '@nestjs/core'],
  coverageProvider: 'v8',
  // A driver that still waits for a lost server must not hold the run up.
  forceExit: true,
};
