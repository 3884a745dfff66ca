import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DatabaseFolderInUseError, lockFolder } from './folder-lock.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'folder-lock-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('lockFolder', () => {
  it('lets one in until it leaves', () => {
    const unlock = lockFolder(folder);
    expect(() => lockFolder(folder)).toThrow(DatabaseFolderInUseError);
    expect(() => lockFolder(folder)).toThrow('stop that process');
    unlock();
    lockFolder(folder)();
  });

  it('is not fooled by another name of the folder', () => {
    const unlock = lockFolder(folder);
    const link = `${folder}-link`;
    symlinkSync(folder, link);
    try {
      expect(() => lockFolder(link)).toThrow(DatabaseFolderInUseError);
    } finally {
      rmSync(link);
      unlock();
    }
  });

  it('does not call a folder that is missing "in use"', () => {
    expect(() => lockFolder(path.join(folder, 'missing'))).not.toThrow(DatabaseFolderInUseError);
    expect(() => lockFolder(path.join(folder, 'missing'))).toThrow();
  });
});
