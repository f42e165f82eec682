import { describe, expect, it } from 'vitest';
import { axeFindings } from './axe';
import { stage } from './setup';

const on = stage(120);

describe('an object', () => {
  it('tells who changed what and when, newest first, and complains of nothing', async () => {
    const { page, complaints } = await on.visit('/objects?kind=Deployment&name=web', '.history');
    const changes = await page.locator('.history > li').allInnerTexts();
    expect(changes[0]).toMatch(/by \S+ with kubectl/);
    expect(changes.some((text) => text.includes('status') || text.includes('Conflict'))).toBe(false);
    await page.getByRole('checkbox', { name: /All 12 writes/ }).check();
    await page.waitForURL(/all=1/);
    const writes = await page.locator('.history > li').allInnerTexts();
    expect(writes).toHaveLength(12);
    expect(writes.some((text) => text.includes('Conflict: the object has been modified'))).toBe(true);
    expect(await page.locator('.diff-after').first().innerText()).toContain('12');
    expect(await page.locator('.conditions').innerText()).toContain('MinimumReplicasAvailable');
    expect(await axeFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('leads to the journey of a change', async () => {
    const { page } = await on.visit('/objects?kind=Deployment&name=web', '.history');
    await page.locator('.history a').first().click();
    await page.waitForSelector('.verdict');
  });

  it('that nobody knows is said to be none', async () => {
    await on.visit('/objects?uid=nobody', 'text=There is no such object');
  });

  it('is asked for when none is named', async () => {
    await on.visit('/objects', 'text=Which object?');
  });
});
