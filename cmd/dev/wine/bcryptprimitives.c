/*
 * Stands in for the bcryptprimitives.dll of Windows, which wine 8 does not have
 * and without which no Go program starts there. Used by tests alone.
 */
#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length)
{
	while (length > 0) {
		ULONG part = length > 65536 ? 65536 : (ULONG)length;
		if (!RtlGenRandom(data, part))
			return FALSE;
		data += part;
		length -= part;
	}
	return TRUE;
}
